import { readOptions, SortidError } from '../error.js';
import { extreme, field, fieldsIn, integer, ofFields } from '../fields.js';
import { COMMON, Generator, type GeneratorOptions } from '../generator.js';
import { Id, register } from '../id.js';
import { raw } from '../module.js';

/** An Evently Event ID: the time in microseconds, a checksum of the event, and the ID of its ledger; 128 bits. */
export class EventId extends Id {
  static override readonly spec = 'evently-id';
  declare readonly spec: 'evently-id';
  declare readonly unixMicros: bigint;
  static {
    register(this);
  }

  /** The least ID: all bits 0. */
  static get MIN(): EventId {
    return extreme(EventId, false);
  }

  /** The greatest ID: all bits 1. */
  static get MAX(): EventId {
    return extreme(EventId, true);
  }

  /**
   * Returns the ID with these fields. The ledger ID is 8 hex digits, or their integer.
   *
   * @throws {SortidError} `overflow` if a field has too many bits; `length` or `character` if the ledger ID is not
   * valid.
   */
  static fromFields(fields: { timestamp: bigint; checksum?: number; ledgerId: string | number }): EventId {
    const {
      timestamp,
      checksum = 0,
      ledgerId,
    } = readOptions('EventId.fromFields', fields, { timestamp: 0, checksum: 0, ledgerId: 0 });
    return ofFields(EventId, [
      integer('evently-id', 'timestamp', timestamp, 64),
      integer('evently-id', 'checksum', checksum, 32),
      BigInt(readLedgerId(ledgerId)),
    ]);
  }

  /**
   * Returns the ID with another checksum.
   *
   * @throws {SortidError} `overflow` if the checksum has more than 32 bits.
   */
  withChecksum(checksum: number): EventId {
    const fields = fieldsIn(this);
    const [timestamp, ledgerId] = [fields[0]!, Number(fields[2])];
    return EventId.fromFields({ timestamp, checksum, ledgerId });
  }

  /** The field `timestamp`: microseconds since 1970, 64 bits. */
  get timestamp(): bigint {
    return fieldsIn(this)[0]!;
  }

  /** The checksum of the event and of the event ID before it, 32 bits. */
  get checksum(): number {
    return field(this, 1);
  }

  /** The ledger ID: 8 hex digits. */
  get ledgerId(): string {
    return this.toHex().slice(24);
  }

  /** The version of the format, 0 to 3: the lowest 2 bits of the ledger ID. */
  get ledgerVersion(): number {
    return field(this, 3);
  }
}

/** Reads a ledger ID. */
function readLedgerId(value: string | number): number {
  if (typeof value !== 'string') return Number(integer('evently-id', 'ledgerId', value, 32));
  if (value.length !== 8) {
    const message = `ledgerId: expected 8 hex digits, found ${value.length} characters`;
    throw new SortidError('length', message, { spec: 'evently-id' });
  }
  const index = value.search(/[^0-9a-f]/i);
  if (index >= 0) {
    const message = `ledgerId: ${JSON.stringify(value[index])} at position ${index} is not a hex digit`;
    throw new SortidError('character', message, { index, spec: 'evently-id' });
  }
  return parseInt(value, 16);
}

/** Generates the places of events in a ledger: IDs with the checksum 0. */
export class EventIdGenerator extends Generator<EventId> {
  /**
   * The ledger ID is 8 hex digits, or their integer.
   *
   * @throws {SortidError} `length`, `character` or `overflow` if the ledger ID is not valid.
   */
  constructor(ledgerId: string | number, options: GeneratorOptions = {}) {
    readOptions('EventIdGenerator', options, COMMON);
    const ledger = readLedgerId(ledgerId);
    super(EventId, options, () => raw.Options.eventId(ledger));
  }
}
