/** The bytes of a module beside the script. */
export async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status} ${response.statusText}`);
  const bytes = await response.arrayBuffer();
  // The first bytes of every module. Some servers answer with a page instead.
  if (String(new Uint8Array(bytes.slice(0, 4))) !== '0,97,115,109') {
    throw new Error(`${url} is not a WebAssembly module: let the server or the bundler serve the file of the package`);
  }
  return bytes;
}
