/**
 * Unpacks the style and the script of the page, and applies them. Packed, the page has half the size. The security
 * policy names the hashes of the unpacked style and script, so no other script can run.
 */
import type { Loader } from './loader';

interface Policy {
  createScript(text: string): string;
  createScriptURL(address: string): string;
}
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
const rules: Policy = { createScript: (text) => text, createScriptURL: (address) => address };
const policy = trustedTypes?.createPolicy('inspector', rules) ?? rules;

const decode = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

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
    document.getElementById('app')!.textContent = `This page needs a browser of 2023 or later. (${error})`;
  }
})();
