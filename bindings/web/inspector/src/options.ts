/** How the user wants IDs to be read. */
import type { InspectOptions, SpecName } from 'sortid/manual';
import { isSpec } from './specs';
import { readTime } from './time';

/** 2024-01-01, from which Ulid-Flakes count unless an epoch is given. */
export const DEFAULT_EPOCH = Date.UTC(2024, 0);

export interface ReadOptions {
  spec?: SpecName;
  scalable?: boolean;
  epoch?: number;
  scheme?: string;
}

/** Reads the options of the address. The message says which one is wrong. */
export function readOptions(params: Readonly<Record<string, string>>): { options: ReadOptions; fault?: string } {
  const options: ReadOptions = {};
  let fault: string | undefined;
  if (isSpec(params.spec)) options.spec = params.spec;
  if (params.scalable) options.scalable = true;
  if (params.epoch) {
    try {
      options.epoch = readTime(params.epoch, false);
    } catch (error) {
      fault = `Epoch: ${(error as Error).message}`;
    }
  }
  if (params.scheme) {
    const digits = [...params.scheme].map(Number);
    if (/^\d{4}$/.test(params.scheme) && digits.reduce((sum, digit) => sum + digit, 0) === 10)
      options.scheme = params.scheme;
    else fault = `Scheme: “${params.scheme}” is not a scheme. Write four digits with the sum 10, such as 0163.`;
  }
  return fault === undefined ? { options } : { options, fault };
}

export function inspectOptions(options: ReadOptions): InspectOptions {
  const { spec, scalable, epoch, scheme } = options;
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(scalable && (!spec || spec === 'ulid-flake') ? { scalable } : {}),
    ...(epoch !== undefined && (!spec || spec === 'ulid-flake') ? { epoch } : {}),
    ...(scheme !== undefined && (!spec || spec === 'ron-uid') ? { scheme } : {}),
  };
}
