// Reading the forms that show the bytes of an ID. `sortid-inspect` reads the same forms, and a test compares both.

import { SortidError } from './error.js';
import type { Form, SpecName } from './spec.js';
import { bytesOf } from './time.js';

const UUID = /^(?:urn:uuid:)?(.{8}-.{4}-.{4}-.{4}-.{12})$|^\{(.{8}-.{4}-.{4}-.{4}-.{12}|.{32})\}$/is;
const HEX = /^(0x|\\{1,2}x)?(.*)$/is;

/** The form of the bytes of an ID that a text has the look of. */
export function formOf(text: string, size: number): Form | undefined {
  if (size === 16 && (/^(urn:uuid:|\{[0-9a-f])/i.test(text) || (text.length === 36 && text[8] === '-'))) return 'uuid';
  // Shorter integers are not taken for IDs of 16 bytes, because they are more likely row numbers.
  if (size <= 16 && /^(0|[1-9][0-9]*)$/.test(text) && text.length >= (size === 8 ? 1 : 20)) return 'int';
  const [, prefix, digits = ''] = HEX.exec(text) ?? [];
  const isHex = prefix !== undefined || (digits.length === 2 * size && /^[0-9a-f]+$/i.test(digits));
  return isHex ? 'hex' : undefined;
}

/** Reads this many bytes from this form. */
export function readForm(text: string, form: Form, size: number, spec: SpecName): Uint8Array {
  const fail = (kind: 'length' | 'character' | 'overflow', message: string, index?: number): never => {
    throw new SortidError(kind, message, index === undefined ? { spec } : { index, spec });
  };
  const wrong = (pattern: RegExp, alphabet: string, from = 0, length = text.length) => {
    const at = text.slice(from, from + length).search(pattern);
    if (at < 0) return;
    const char = String.fromCodePoint(text.codePointAt(from + at)!);
    fail('character', `${JSON.stringify(char)} at position ${from + at} is not a ${alphabet} digit`, from + at);
  };
  switch (form) {
    case 'int': {
      if (text === '') fail('length', 'expected at least 1 digit, found 0');
      wrong(/[^0-9]/, 'decimal');
      const int = text.length > 50 ? -1n : BigInt(text);
      if (int < 0n || int >> BigInt(8 * size) !== 0n || size > 16) {
        fail('overflow', `${text.slice(0, 39)} is above the greatest integer of ${size} bytes`);
      }
      return bytesOf(int.toString(16).padStart(2 * size, '0'));
    }
    case 'base64url': {
      const length = Math.ceil((8 * size) / 6);
      // Standard base64 is read, too: with its padding, and with + and / in place of - and _.
      const digits = text.length === 4 * Math.ceil(size / 3) ? text.replace(/={1,2}$/, '') : text;
      if (digits.length !== length) fail('length', `expected ${length} base64url digits, found ${text.length}`);
      const isStandard = /^[^-_]*[+/]/.test(digits);
      if (isStandard) wrong(/[^A-Za-z0-9+/]/, 'base64', 0, length);
      else wrong(/[^\w-]/, 'base64url', 0, length);
      const standard = digits.replaceAll('-', '+').replaceAll('_', '/');
      const bytes = Uint8Array.from(atob(standard), (char) => char.charCodeAt(0));
      if (base64url(bytes) !== standard.replaceAll('+', '-').replaceAll('/', '_')) {
        fail('overflow', `the last digit has bits set that ${size} bytes have no room for`);
      }
      return bytes;
    }
    case 'uuid': {
      const [, plain, braced] = UUID.exec(text) ?? [];
      const digits = plain ?? braced;
      if (digits === undefined || size !== 16)
        return fail('length', `expected a UUID of 36 characters, found ${text.length}`);
      wrong(/[^0-9a-f-]/i, 'hex', text.indexOf(digits), digits.length);
      const hex = digits.replaceAll('-', '');
      if (hex.length !== 32) fail('length', `expected 32 hex digits, found ${hex.length}`);
      return bytesOf(hex);
    }
    default: {
      const [, prefix = '', digits = ''] = HEX.exec(text) ?? [];
      // After 0x, an integer can lack its first zeros, but an ID of 16 bytes has more digits than one of 8.
      const least = prefix.toLowerCase() !== '0x' || size > 16 ? 2 * size : size === 8 ? 1 : 17;
      if (digits.length < least || digits.length > 2 * size) {
        fail('length', `expected ${2 * size} hex digits, found ${digits.length}`);
      }
      wrong(/[^0-9a-f]/i, 'hex', prefix.length);
      return bytesOf(digits.padStart(2 * size, '0'));
    }
  }
}

/** The bytes in base64url. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
