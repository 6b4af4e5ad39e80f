import { wrongType } from './error.js';
import { SPECS, type SpecName } from './names.js';

export { SPECS, TITLES, type SpecName } from './names.js';

/**
 * A form of an ID: the text of its specification, or one that shows its bytes: hex digits, a decimal integer, a UUID,
 * or base64url without padding.
 */
export type Form = 'text' | 'hex' | 'int' | 'uuid' | 'base64url';

/** The forms, in the order of the module's numbers. */
export const FORMS: readonly Form[] = Object.freeze(['text', 'hex', 'int', 'uuid', 'base64url']);

/** The number of a specification in the module. */
export function specNumber(spec: SpecName): number {
  const number = SPECS.indexOf(spec);
  if (number < 0) throw wrongType('spec', `'${SPECS.join("', '")}'`, spec);
  return number;
}

/** The number of a form in the module. */
export function formNumber(form: Form): number {
  const number = FORMS.indexOf(form);
  if (number < 0) throw wrongType('form', `'${FORMS.join("', '")}'`, form);
  return number;
}
