/** The options of the generators, as `sortid new` has them, and how the texts of a form become options. */
import {
  EuidGenerator,
  EventIdGenerator,
  LamportClock,
  RonUidGenerator,
  ScalableGenerator,
  Scru160Generator,
  UlidFlakeGenerator,
  type Id,
  type SpecName,
} from 'sortid/manual';
import { messageOf } from './text';
import { readTime } from './time';

export interface MakeOption {
  name: string;
  label: string;
  hint: string;
  kind: 'text' | 'flag';
  example?: string;
}

const text = (name: string, label: string, hint: string, example: string): MakeOption => ({
  name,
  label,
  hint,
  kind: 'text',
  example,
});
const flag = (name: string, label: string, hint: string): MakeOption => ({ name, label, hint, kind: 'flag' });

export const OPTIONS: Record<SpecName, MakeOption[]> = {
  scru160: [
    text('start', 'Random bits at the start of the counter', '0 to 15; with the microsecond 0 to 5', '15'),
    text('extend', 'Bits that extend the counter', 'bits of random16', '0'),
    text('node', 'Node', 'number and bits: 3:5 is node 3 of 32', '3:5'),
    flag('micros', 'Keep the microsecond', 'in the upper 10 bits of the counter'),
  ],
  euid: [
    text('extension', 'Extension', 'a value up to 32767, and its bits: 5:8; 5 alone takes 3', '5:8'),
    flag('no-check', 'Leave out the check', 'mistyped characters are then not noticed'),
  ],
  'ulid-flake': [
    flag('scalable', 'Scalable version', '15 random bits and a node number'),
    text('node', 'Node', '0 to 31, of the scalable version', '7'),
    text('epoch', 'Epoch', 'the time that timestamps count from', '2024-01-01'),
    text('entropy', 'Random bytes of a step', '1 to 3; in the scalable version 1 or 2', '1'),
  ],
  'ron-uid': [
    text('origin', 'Origin', 'the replica: up to 10 digits of Base64x64', 'Xgritzk0_D'),
    text('length', 'Least digits of a time', '5 to 10; with a count, the number of digits: 1 to 10', '10'),
    flag('logical', 'Count instead of reading the clock', 'a Lamport clock'),
  ],
  'evently-id': [text('ledger', 'Ledger ID', '8 hex digits; random if it is empty', 'c0331dd8')],
};

/** Reads an option, and adds its name to the error of a wrong one. */
function option<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw Object.assign(new Error(messageOf(error)), { option: name });
  }
}

function integer(text: string): number {
  if (!/^\d{1,10}$/.test(text.trim())) throw new Error(`Expected a whole number, found “${text}”.`);
  return Number(text);
}

type Params = Readonly<Record<string, string>>;

/** Makes IDs with new generators, so that the options of the form hold for all of them. */
export function generate(spec: SpecName, params: Params, count: number): Id[] {
  const given = (name: string) => params[name]?.trim() || undefined;
  const number = (name: string) => {
    const value = given(name);
    return value === undefined ? undefined : option(name, () => integer(value));
  };
  const withBits = (name: string, bitsAreOptional: boolean) => {
    const value = given(name);
    if (value === undefined) return undefined;
    return option(name, () => {
      const [first = '', bits, ...rest] = value.split(':');
      if (rest.length > 0 || (bits === undefined && !bitsAreOptional)) {
        throw new Error(`Expected a number and its bits, such as 3:5, found “${value}”.`);
      }
      return { value: integer(first), ...(bits === undefined ? {} : { bits: integer(bits) }) };
    });
  };
  switch (spec) {
    case 'scru160': {
      const node = withBits('node', false);
      const options = {
        counterStartBits: number('start'),
        counterExtensionBits: number('extend'),
        microsCounter: given('micros') !== undefined,
        node: node?.value,
        nodeBits: node?.bits,
      };
      return make(() => new Scru160Generator(options), count);
    }
    case 'euid': {
      const extension = withBits('extension', true);
      return make(() => new EuidGenerator({ extension: extension?.value, extensionBits: extension?.bits }), count);
    }
    case 'ulid-flake': {
      const epoch = given('epoch');
      const options = {
        epoch: epoch === undefined ? undefined : option('epoch', () => readTime(epoch, false)),
        entropyBytes: number('entropy'),
      };
      if (!given('scalable')) {
        if (given('node'))
          option('node', () => {
            throw new Error('Only the scalable version has a node. Check “Scalable version”, or leave the node out.');
          });
        return make(() => new UlidFlakeGenerator(options), count);
      }
      const node = number('node');
      if (node === undefined) {
        return option('node', () => {
          throw new Error('The scalable version needs the number of a node, 0 to 31.');
        });
      }
      return make(() => new ScalableGenerator({ node, ...options }), count);
    }
    case 'ron-uid': {
      const origin = given('origin');
      const length = number('length');
      if (given('logical')) return make(() => new LamportClock(origin ?? '0', length ?? 5), count);
      if (origin === undefined) {
        return option('origin', () => {
          throw new Error('A RON UID needs an origin: up to 10 digits that name the replica, such as Xgritzk0_D.');
        });
      }
      return make(() => new RonUidGenerator({ origin, minLength: length }), count);
    }
    case 'evently-id': {
      const ledger = given('ledger') ?? randomLedger();
      return make(() => option('ledger', () => new EventIdGenerator(ledger)), count);
    }
  }
}

function randomLedger(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return ((random & ~3) >>> 0).toString(16).padStart(8, '0');
}

function make(create: () => { generateMany(count: number): Id[] }, count: number): Id[] {
  return create().generateMany(count);
}
