/** The page's side of the worker. */
import { loader } from './loader';
import type { ProgressState, Tasks } from './worker';

let module: WebAssembly.Module | undefined;

/** The page gives the compiled module once; each worker gets it from here. */
export function setModule(compiled: WebAssembly.Module): void {
  module = compiled;
}

/** The script of this page, which the worker runs, too. */
const SOURCE = typeof document === 'undefined' ? '' : document.currentScript!.textContent!;

let blob: string | undefined;

export type Input<T extends keyof Tasks> = Parameters<Tasks[T]>[0];
export type Answer<T extends keyof Tasks> = Awaited<ReturnType<Tasks[T]>>;

export class Cancelled extends Error {}

/** A worker that answers questions in order. `close` ends it at once, and so cancels what it does. */
export class Background {
  readonly #worker: Worker;
  readonly #open = new Map<
    number,
    { resolve(value: never): void; reject(error: Error): void; progress?: (state: ProgressState) => void }
  >();
  #last = 0;

  constructor() {
    blob ??= URL.createObjectURL(new Blob([SOURCE], { type: 'text/javascript' }));
    this.#worker = new Worker(loader.url(blob));
    this.#worker.postMessage(module);
    this.#worker.addEventListener('message', ({ data: { id, progress, answer, error } }) => {
      const call = this.#open.get(id);
      if (!call) return;
      if (progress) return call.progress?.(progress);
      this.#open.delete(id);
      if (error === undefined) call.resolve(answer as never);
      else call.reject(new Error(error));
    });
    this.#worker.addEventListener('error', (event) => {
      const calls = [...this.#open.values()];
      this.#open.clear();
      for (const { reject } of calls) reject(new Error(event.message || 'the background worker stopped'));
    });
  }

  ask<T extends keyof Tasks>(task: T, input: Input<T>, progress?: (state: ProgressState) => void): Promise<Answer<T>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject, ...(progress ? { progress } : {}) });
      this.#worker.postMessage({ id, task, input });
    });
  }

  close(): void {
    this.#worker.terminate();
    for (const { reject } of this.#open.values()) reject(new Cancelled('cancelled'));
    this.#open.clear();
  }
}
