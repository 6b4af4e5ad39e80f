/**
 * Unpacks the script of the page, and runs it. Packed, the page has half the size. The security policy names the hash of the
 * unpacked script, so no other script can run.
 */
import type { Loader } from './loader';

interface Policy {
  createScript(text: string): string;
  createScriptURL(address: string): string;
}
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
const rules: Policy = { createScript: (text) => text, createScriptURL: (address) => address };
const policy = trustedTypes?.createPolicy('inspector', rules) ?? rules;

const loader: Loader = {
  unpack(id) {
    const bytes = Uint8Array.from(atob(document.getElementById(id)!.textContent!), (char) => char.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
  },
  url: (address) => policy.createScriptURL(address),
};
(globalThis as { loader?: Loader }).loader = loader;

(async () => {
  try {
    const script = document.createElement('script');
    script.text = policy.createScript(await loader.unpack('script').text());
    document.body.append(script);
  } catch (error) {
    document.getElementById('app')!.textContent = `This page needs a browser of 2024 or later. (${error})`;
  }
})();
