/**
 * The bits of an ID as a picture: a cell for each bit, a bar with the letter of the field, and the hex digits below.
 */
import type { JSX } from 'preact';
import type { Field, SpecName } from 'sortid/manual';
import { letters, SPECS, type Hue } from './specs';

export function hueOf(spec: SpecName, name: string): Hue {
  return SPECS[spec].fields[name]?.hue ?? 'fixed';
}

interface Place {
  letter: string;
  hue: Hue;
}

/** The field of each bit. */
function places(spec: SpecName, fields: readonly Field[]): Place[] {
  const names = letters(fields);
  return fields.flatMap(({ name, bits }, index) =>
    Array.from({ length: bits }, () => ({ letter: names[index]!, hue: hueOf(spec, name) })),
  );
}

export function Bits({
  spec,
  fields,
  bytes,
  differs,
  active,
  onActive,
  label,
}: {
  spec: SpecName;
  fields: readonly Field[];
  bytes: Uint8Array;
  /** Bytes with a 1 where the bit differs from that of another ID. */
  differs?: Uint8Array;
  active: string;
  onActive(letter: string): void;
  label?: string;
}): JSX.Element {
  const all = places(spec, fields);
  const names = letters(fields);
  const described = fields
    .flatMap(({ name, bits }, index) =>
      bits > 0 ? [`${names[index]}: ${SPECS[spec].fields[name]?.label ?? name}, ${bits} bits`] : [],
    )
    .join('; ');
  return (
    <div
      class="bits"
      role="img"
      aria-label={`${label ?? `${bytes.length * 8} bits`}. ${described}`}
      onPointerLeave={() => onActive('')}
      onPointerOver={(event) =>
        onActive((event.target as HTMLElement).closest<HTMLElement>('[data-f]')?.dataset.f ?? '')
      }
    >
      {Array.from(bytes, (byte, index) => {
        const here = all.slice(index * 8, index * 8 + 8);
        const runs: { place: Place; length: number }[] = [];
        for (const place of here) {
          const last = runs.at(-1);
          if (last?.place.letter === place.letter) last.length++;
          else runs.push({ place, length: 1 });
        }
        const classOf = (place: Place | undefined) =>
          `h-${place?.hue ?? 'fixed'}${place?.letter === active ? ' on' : ''}`;
        const digit = (half: 0 | 1) => {
          const four = here.slice(half * 4, half * 4 + 4);
          const [place] = four;
          const isWhole = four.every(({ letter }) => letter === place?.letter);
          const mixed = four.some(({ letter }) => letter === active) ? 'h-mixed on' : 'h-mixed';
          return (
            <span class={`nibble ${isWhole ? classOf(place) : mixed}`} data-f={place?.letter}>
              {((byte >> (half ? 0 : 4)) & 15).toString(16)}
            </span>
          );
        };
        return (
          <div class="byte">
            <span class="at">{index * 8}</span>
            {here.map((place, bit) => (
              <span
                class={`bit ${classOf(place)}${differs && (differs[index]! >> (7 - bit)) & 1 ? ' differs' : ''}`}
                data-f={place.letter}
              >
                {(byte >> (7 - bit)) & 1}
              </span>
            ))}
            {runs.map(({ place, length }) => (
              <span class={`bar ${classOf(place)} w${length}`} data-f={place.letter}>
                {place.letter}
              </span>
            ))}
            {digit(0)}
            {digit(1)}
          </div>
        );
      })}
    </div>
  );
}
