/** Many IDs: reads them, finds duplicates and places out of order, converts them, and counts them over time. */
import { inspect, type Form, type Id, type SpecName } from 'sortid/manual';
import { SPEC_NAMES, SPECS } from './specs';
import { CLASSES, isLikely, isPlausible, readAs, unwrap, waysOf, wordsOf, type Word } from './extract';
import { DEFAULT_EPOCH, inspectOptions, type ReadOptions } from './options';
import { chooseUnit, startOf, UNITS, unitOf, type UnitName } from './units';
import { shown } from './text';

export type Filter = 'all' | 'invalid' | 'duplicate' | 'unordered';
const INVALID = 255;
const WIDTH = Math.max(...SPEC_NAMES.map((spec) => SPECS[spec].bits / 8));

export interface Summary {
  lines: number;
  /** Lines without a word that could be an ID. */
  leftOut: number;
  /** The first of them. */
  leftOutExamples: { line: number; text: string }[];
  rows: number;
  valid: number;
  invalid: number;
  duplicates: number;
  unordered: number;
  specs: { spec: SpecName; count: number }[];
  /** How many IDs have a time. */
  timed: number;
  first?: number;
  last?: number;
  gaps: { from: number; to: number }[];
  /** What most of the texts are, if it is another kind of ID. */
  note?: string;
}

export interface Row {
  line: number;
  text: string;
  spec?: SpecName;
  form?: Form;
  canonical?: string;
  millis?: number;
  node?: string;
  /** An earlier line that has the same ID. */
  sameAs?: number;
  isUnordered?: boolean;
  why?: string;
}

export interface Histogram {
  unit: UnitName;
  /** The beginning of each bin, and the end of the last. */
  edges: number[];
  counts: number[];
  groups: { name: string; count: number; counts: number[] }[];
  /** Groups that are not in `groups`, because there are too many. */
  otherGroups: number;
  /** Bins with far more IDs than others. */
  bursts: { from: number; to: number; count: number }[];
  total: number;
  unitsAllowed: UnitName[];
}

interface Way {
  spec: SpecName;
  form: Form;
}

export class List {
  #words: Word[] = [];
  readonly #spec: number[] = [];
  readonly #form: Form[] = [];
  #bytes = new Uint8Array(1024 * WIDTH);
  readonly #millis: number[] = [];
  readonly #same = new Map<number, number>();
  readonly #unordered = new Set<number>();
  readonly #options: ReadOptions;
  #sorted: Float64Array = new Float64Array();
  summary!: Summary;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Reads the IDs of a text. It calls `progress` with the share that is done. */
  read(text: string, progress: (done: number) => void): Summary {
    let lines = 0;
    let leftOut = 0;
    const leftOutExamples: Summary['leftOutExamples'] = [];
    for (let at = 0; at <= text.length;) {
      let end = text.indexOf('\n', at);
      if (end < 0) end = text.length;
      if (at < text.length) {
        lines++;
        const line = text.slice(at, end);
        // A very long line is cut at a separator, so that its parts fit into memory.
        const { words, misses } = wordsOf(line, lines);
        for (const word of words) this.#words.push(word);
        for (const word of misses) this.#words.push(word);
        if (words.length + misses.length === 0 && line.trim() !== '') {
          leftOut++;
          if (leftOutExamples.length < 5) leftOutExamples.push({ line: lines, text: shown(line.trim(), 120) });
        }
      }
      at = end + 1;
      if (lines % 5000 === 0) progress(0.4 * (at / text.length));
    }
    const { ways, namesCount, note } = this.#decide();
    // A word that is alone in its line and cannot be an ID is the title of a column, or a part of a log.
    const isLog = this.#words.filter(({ isAlone }) => isAlone).length * 2 < this.#words.length;
    this.#words = this.#words.filter((word) => {
      const { text, line, isAlone } = word;
      if (!isAlone || /\d/.test(text) || !(isLog || line === 1) || this.#parse(text, ways, namesCount)) return true;
      leftOut++;
      leftOutExamples.push({ line, text: shown(text, 120) });
      return false;
    });
    leftOutExamples.sort((a, b) => a.line - b.line).splice(5);
    for (const [index, { text }] of this.#words.entries()) {
      if (index % 5000 === 0) progress(0.4 + 0.5 * (index / this.#words.length));
      this.#push(this.#parse(text, ways, namesCount));
    }
    return (this.summary = { ...this.#analyse(progress), lines, leftOut, leftOutExamples, ...note });
  }

  /** Reads each word in the way in which most words of its shape are read. */
  #decide(): { ways: Map<string, Way[]>; namesCount: boolean; note: { note?: string } } {
    const only = this.#options.spec;
    const samples = new Map<string, string[]>();
    const step = Math.max(1, Math.floor(this.#words.length / 4000));
    for (let index = 0; index < this.#words.length; index += step) {
      const { text } = this.#words[index]!;
      const shape = shapeOf(text);
      const list = samples.get(shape) ?? [];
      if (list.length < 40) list.push(text);
      samples.set(shape, list);
    }
    // What the samples can be: the likeliest of each counts most.
    const totals = new Map<SpecName, number>();
    const notes: string[] = [];
    let sampled = 0;
    const ways = new Map<string, Map<string, { way: Way; weight: number }>>();
    for (const [shape, texts] of samples) {
      const found = new Map<string, { way: Way; weight: number }>();
      for (const text of texts) {
        const { candidates, note } = inspect(text.toWellFormed(), inspectOptions(this.#options));
        sampled++;
        if (note) notes.push(note.replace(/, made at [^,]*/, ''));
        for (const [rank, { spec, form, id }] of candidates.entries()) {
          const key = `${spec} ${form}`;
          const entry = found.get(key) ?? { way: { spec, form }, weight: 0 };
          entry.weight += (isPlausible(id) ? 1 : 0.01) / (rank + 1);
          found.set(key, entry);
        }
      }
      ways.set(shape, found);
    }
    for (const found of ways.values()) {
      const best = [...found.values()].sort((a, b) => b.weight - a.weight)[0];
      if (best) totals.set(best.way.spec, (totals.get(best.way.spec) ?? 0) + best.weight);
    }
    const sorted = new Map<string, Way[]>();
    for (const [shape, found] of ways) {
      // A few texts without a likely time are read like the others.
      const score = ({ way, weight }: { way: Way; weight: number }) => weight + 0.01 * (totals.get(way.spec) ?? 0);
      const list = [...found.values()].sort((a, b) => score(b) - score(a));
      sorted.set(
        shape,
        list.map(({ way }) => way),
      );
    }
    // A bare word can be a RON UID by chance, so it counts only among RON UIDs.
    const [most] = [...totals].sort((a, b) => b[1] - a[1]);
    const namesCount = only === 'ron-uid' || !most || most[0] === 'ron-uid';

    const note = notes.length * 2 > sampled ? { note: notes[0]! } : {};
    return { ways: sorted, namesCount, note };
  }

  #parse(text: string, ways: Map<string, Way[]>, namesCount: boolean): [Id, Form] | undefined {
    const only = this.#options.spec;
    const isName = (id: Id) => !namesCount && id.spec === 'ron-uid' && !/[-+%]/.test(text) && !isLikely(text);
    for (const { spec, form } of ways.get(shapeOf(text)) ?? []) {
      const id = readAs(text, spec, form);
      if (id && !isName(id)) return [id, form];
    }
    for (const { spec, form } of waysOf(text)) {
      const id = only && spec !== only ? undefined : readAs(text, spec, form);
      if (id && !isName(id)) return [id, form];
    }
    return undefined;
  }

  #push(found: [Id, Form] | undefined): void {
    const index = this.#spec.length;
    if (!found) {
      this.#spec.push(INVALID);
      this.#form.push('text');
      this.#millis.push(NaN);
      return;
    }
    const [id, form] = found;
    if ((index + 1) * WIDTH > this.#bytes.length) {
      const more = new Uint8Array(this.#bytes.length * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes.set(id.toBytes(), index * WIDTH);
    this.#spec.push(SPEC_NAMES.indexOf(id.spec));
    this.#form.push(form);
    this.#millis.push(millisOf(id, this.#options) ?? NaN);
  }

  #analyse(progress: (done: number) => void): Omit<Summary, 'lines' | 'leftOut' | 'leftOutExamples'> {
    const counts = new Map<number, number>();
    const seen = new Map<string, number>();
    const lastOf = new Map<number, number>();
    const times = new Float64Array(this.#spec.length);
    let timed = 0;
    this.#spec.forEach((spec, index) => {
      if (index % 20_000 === 0) progress(0.9 + 0.1 * (index / this.#spec.length));
      if (spec === INVALID) return;
      counts.set(spec, (counts.get(spec) ?? 0) + 1);
      const key = String.fromCharCode(spec, ...this.#bytesAt(index));
      const before = seen.get(key);
      if (before === undefined) seen.set(key, index);
      else this.#same.set(index, before);
      const last = lastOf.get(spec);
      if (last !== undefined && this.#compare(last, index) > 0) this.#unordered.add(index);
      lastOf.set(spec, index);
      const millis = this.#millis[index]!;
      if (!Number.isNaN(millis)) times[timed++] = millis;
    });
    this.#sorted = times.slice(0, timed).sort();
    const invalid = this.#spec.reduce((sum, spec) => sum + (spec === INVALID ? 1 : 0), 0);
    const specs = [...counts]
      .map(([spec, count]) => ({ spec: SPEC_NAMES[spec]!, count }))
      .sort((a, b) => b.count - a.count);
    return {
      rows: this.#spec.length,
      valid: this.#spec.length - invalid,
      invalid,
      duplicates: this.#same.size,
      unordered: this.#unordered.size,
      specs,
      timed,
      ...(timed > 0 ? { first: this.#sorted[0]!, last: this.#sorted[timed - 1]! } : {}),
      gaps: gapsOf(this.#sorted),
    };
  }

  #bytesAt(index: number): Uint8Array {
    return this.#bytes.subarray(index * WIDTH, (index + 1) * WIDTH);
  }

  #compare(a: number, b: number): number {
    const [x, y] = [this.#bytesAt(a), this.#bytesAt(b)];
    if (this.#spec[a] === SPEC_NAMES.indexOf('ron-uid')) return this.#id(a).compare(this.#id(b));
    for (let index = 0; index < WIDTH; index++) {
      if (x[index] !== y[index]) return x[index]! - y[index]!;
    }
    return 0;
  }

  #id(index: number): Id {
    const spec = SPEC_NAMES[this.#spec[index]!]!;
    return CLASSES[spec].fromBytes(this.#bytesAt(index).slice(0, SPECS[spec].bits / 8));
  }

  #indexes(filter: Filter): readonly number[] | undefined {
    if (filter === 'duplicate') return [...this.#same.keys()];
    if (filter === 'unordered') return [...this.#unordered];
    if (filter === 'invalid') return this.#spec.flatMap((spec, index) => (spec === INVALID ? [index] : []));
    return undefined;
  }

  rows(filter: Filter, from: number, count: number): { rows: Row[]; total: number } {
    const indexes = this.#indexes(filter);
    const total = indexes?.length ?? this.#spec.length;
    const rows: Row[] = [];
    for (let at = from; at < Math.min(from + count, total); at++) rows.push(this.#row(indexes ? indexes[at]! : at));
    return { rows, total };
  }

  #row(index: number): Row {
    const { line, text } = this.#words[index]!;
    const row: Row = { line, text: text.slice(0, 200) };
    if (this.#spec[index] === INVALID) return { ...row, why: why(text, this.#options.spec) };
    const id = this.#id(index);
    const millis = this.#millis[index]!;
    const node = nodeOf(id, this.#options);
    const same = this.#same.get(index);
    return {
      ...row,
      spec: id.spec,
      form: this.#form[index]!,
      canonical: id.toString(),
      ...(Number.isNaN(millis) ? {} : { millis }),
      ...(node === undefined ? {} : { node }),
      ...(same === undefined ? {} : { sameAs: this.#words[same]!.line }),
      isUnordered: this.#unordered.has(index),
    };
  }

  /** All valid IDs in another form, one a line, and how many have no such form. */
  convert(form: Form): { text: string; converted: number; without: number } {
    const lines: string[] = [];
    let without = 0;
    this.#spec.forEach((spec, index) => {
      if (spec === INVALID) return;
      try {
        lines.push(this.#id(index).to(form));
      } catch {
        without++;
      }
    });
    return { text: lines.length ? `${lines.join('\n')}\n` : '', converted: lines.length, without };
  }

  histogram(from: number, to: number, asked: UnitName | 'auto', byNode: boolean): Histogram {
    const unitsAllowed = UNITS.filter(({ size }) => (to - from) / size <= 1000).map(({ name }) => name);
    const unit = asked !== 'auto' && unitsAllowed.includes(asked) ? asked : chooseUnit(to - from);
    const edges: number[] = [startOf(from, unit)];
    while (edges.at(-1)! <= to && edges.length < 1200) edges.push(unitOf(unit).next(edges.at(-1)!));
    const counts = new Array<number>(edges.length - 1).fill(0);
    const binOf = (millis: number) => {
      let [low, high] = [0, edges.length - 1];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (edges[middle]! <= millis) low = middle;
        else high = middle;
      }
      return low;
    };
    let total = 0;
    const groups = new Map<string, { name: string; count: number; counts: number[] }>();
    this.#millis.forEach((millis, index) => {
      if (!(millis >= from && millis <= to)) return;
      const bin = binOf(millis);
      counts[bin]!++;
      total++;
      if (!byNode) return;
      const name = nodeOf(this.#id(index), this.#options) ?? 'none';
      let group = groups.get(name);
      if (!group) groups.set(name, (group = { name, count: 0, counts: new Array<number>(counts.length).fill(0) }));
      group.counts[bin]!++;
      group.count++;
    });
    const sorted = [...groups.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
    return {
      unit,
      edges,
      counts,
      total,
      unitsAllowed,
      groups: sorted.slice(0, 24),
      otherGroups: Math.max(0, sorted.length - 24),
      bursts: burstsOf(edges, counts),
    };
  }
}

/** The shape of a text: its length, and which kinds of characters it has. Texts of one shape are read in one way. */
function shapeOf(text: string): string {
  const kind = /^\d+$/.test(text) ? '9' : /^[0-9a-f]+$/i.test(text) ? 'f' : /^[0-9a-v]+$/i.test(text) ? 'v' : 'z';
  return `${text.length}${kind}${/-/.test(text) ? '-' : ''}${/^(?:0x|\\x)/i.test(text) ? 'x' : ''}`;
}

/** The time with the fraction of a millisecond, by the epoch of the options. */
export function millisOf(id: Id, options: ReadOptions): number | undefined {
  const micros = id.unixMicros;
  if (micros === undefined) return undefined;
  const millis = Number(micros) / 1000;
  return id.spec === 'ulid-flake' && options.epoch !== undefined ? millis - DEFAULT_EPOCH + options.epoch : millis;
}

/** The part of the ID that shows who made it. */
export function nodeOf(id: Id, { scalable = false }: ReadOptions): string | undefined {
  const { node } = SPECS[id.spec];
  const value = node?.of(id, scalable);
  return value === undefined ? undefined : `${node!.name} ${value}`;
}

function why(text: string, only: SpecName | undefined): string {
  const clean = unwrap(text).slice(0, 200);
  // SCRU160 before Event ID: hex digits are base32hex digits, too.
  for (const spec of only ? [only] : SPEC_NAMES.toReversed()) {
    if (!only && !SPECS[spec].texts.some(({ length }) => length === clean.length)) continue;
    try {
      CLASSES[spec].parse(clean);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return `${clean.length} characters, which no kind of ID has`;
}

/** The longest times without an ID, if they are far longer than usual. */
function gapsOf(sorted: Float64Array): { from: number; to: number }[] {
  if (sorted.length < 4) return [];
  const steps = new Float64Array(sorted.length - 1);
  for (let index = 0; index < steps.length; index++) steps[index] = sorted[index + 1]! - sorted[index]!;
  const usual = steps.slice().sort()[Math.floor(steps.length * 0.9)]!;
  const longest: { from: number; to: number }[] = [];
  const least = Math.max(usual * 5, (sorted.at(-1)! - sorted[0]!) / 50);
  steps.forEach((step, index) => {
    if (step > least) longest.push({ from: sorted[index]!, to: sorted[index + 1]! });
  });
  return longest.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, 3);
}

/** Neighbouring bins that have several times as many IDs as usual. */
function burstsOf(edges: number[], counts: number[]): Histogram['bursts'] {
  const filled = counts.filter((count) => count > 0).sort((a, b) => a - b);
  if (filled.length < 4) return [];
  const usual = filled[Math.floor(filled.length / 2)]!;
  const least = Math.max(usual * 3, usual + 4);
  const bursts: Histogram['bursts'] = [];
  counts.forEach((count, index) => {
    if (count < least) return;
    const last = bursts.at(-1);
    if (last && last.to === edges[index]) {
      last.to = edges[index + 1]!;
      last.count += count;
    } else {
      bursts.push({ from: edges[index]!, to: edges[index + 1]!, count });
    }
  });
  return bursts.sort((a, b) => b.count - a.count).slice(0, 3);
}
