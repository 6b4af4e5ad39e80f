/** The background half of the page: lists and ledgers, so that the page stays quick. */
import { init, LedgerVerifier, type LedgerOptions } from 'sortid/manual';
import { List, type Filter } from './list';
import { chunksOf, compressionOf, FileFault, type Compression } from './ledger-file';
import { messageOf } from './text';
import type { ReadOptions } from './options';

/** The questions that the worker answers. */
export const tasks = {
  list({ text, options }: { text: string; options: ReadOptions }, progress: Progress) {
    list = new List(options);
    return list.read(text, (done) => progress({ done }));
  },
  rows({ filter, from, count }: { filter: Filter; from: number; count: number }) {
    return list!.rows(filter, from, count);
  },
  convert({ form }: { form: Parameters<List['convert']>[0] }) {
    return list!.convert(form);
  },
  histogram({ from, to, unit, byNode }: { from: number; to: number; unit: string; byNode: boolean }) {
    return list!.histogram(from, to, unit, byNode);
  },
  async ledger({ file, options }: { file: File; options: LedgerOptions }, progress: Progress) {
    const start = performance.now();
    const run = async (compression: Compression) => {
      const verifier = new LedgerVerifier(options);
      let read = 0;
      let last = 0;
      const state = () => ({
        done: file.size ? read / file.size : 1,
        read,
        bytes: Number(verifier.bytes),
        events: Number(verifier.events),
        seconds: (performance.now() - start) / 1000,
      });
      for await (const chunk of chunksOf(file, compression, (bytes) => (read = bytes))) {
        verifier.push(chunk);
        // A compressed file is read to its end, where its checksum shows whether the fault comes from the file.
        if (verifier.isDone && compression === 'none') break;
        const now = performance.now();
        if (now - last > 100) {
          last = now;
          progress(state());
        }
      }
      const numbers = state();
      return { report: verifier.finish(), compression, ...numbers };
    };
    const compression = await compressionOf(file);
    try {
      return await run(compression);
    } catch (error) {
      if (compression !== 'gzip' || !(error instanceof FileFault)) throw error;
      return run('members');
    }
  },
};

export type Tasks = typeof tasks;
export interface ProgressState {
  done: number;
  read?: number;
  bytes?: number;
  events?: number;
  seconds?: number;
}
type Progress = (state: ProgressState) => void;

let list: List | undefined;

interface Request {
  id: number;
  task: keyof Tasks;
  input: unknown;
}

/** Answers the messages of the page. The first one is the WebAssembly module. */
export function serve(): void {
  const post = (message: unknown) => (self as unknown as Worker).postMessage(message);
  addEventListener('message', async ({ data }: MessageEvent<WebAssembly.Module | Request>) => {
    if (data instanceof WebAssembly.Module) return init(data);
    const { id, task, input } = data;
    try {
      const answer = await tasks[task](input as never, (state) => post({ id, progress: state }));
      post({ id, answer });
    } catch (error) {
      post({ id, error: messageOf(error) });
    }
  });
}
