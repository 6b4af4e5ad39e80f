/**
 * Unpacks the style and the script of the page, and applies them. Packed, the page has half the size. The security
 * policy names the hashes of what is unpacked, so no other script can run.
 */
import type { Loader } from './loader';

interface Policy {
  createScript(text: string): string;
  createScriptURL(address: string): string;
}
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
const rules: Policy = { createScript: (text) => text, createScriptURL: (address) => address };
const policy = trustedTypes?.createPolicy('inspector', rules) ?? rules;

/** Reads 7 bits of each character: base64 would need a sixth more room. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((text.length * 7) >> 3);
  let [bits, count, at] = [0, 0, 0];
  for (let index = 0; index < text.length; index++) {
    bits = (bits << 7) | (text.charCodeAt(index) & 127);
    count += 7;
    if (count >= 8) bytes[at++] = bits >> (count -= 8);
  }
  return bytes;
}

const loader: Loader = {
  unpack: (id) =>
    new Response(
      new Blob([decode(document.getElementById(id)!.textContent!)])
        .stream()
        .pipeThrough(new DecompressionStream('gzip')),
    ),
  url: (address) => policy.createScriptURL(address),
};
(globalThis as { loader?: Loader }).loader = loader;

(async () => {
  try {
    const style = document.createElement('style');
    style.textContent = await loader.unpack('packed-style').text();
    document.head.append(style);
    const script = document.createElement('script');
    script.text = policy.createScript(await loader.unpack('packed-script').text());
    document.body.append(script);
  } catch (error) {
    document.getElementById('app')!.textContent = `This page needs a browser of 2024 or later. (${error})`;
  }
})();
