/** The WebAssembly module of the package: gzip in base64. The build puts it in. */
declare module 'inline:module' {
  const compressed: string;
  export default compressed;
}
