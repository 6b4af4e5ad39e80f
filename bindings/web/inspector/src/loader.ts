/** What `start.ts` leaves for the page. */
export interface Loader {
  /** The content of a data block of the page. */
  unpack(id: string): Response;
  /** Allows the address of a script: only this page's own script for the worker, and the service worker. */
  url(address: string): string;
}

export const loader = (globalThis as unknown as { loader: Loader }).loader;
