/**
 * A program that is started with an environment of its own needs this setting: Node keeps what it has compiled of the bundle
 * there, for the whole run. A start takes a quarter less processor time with it.
 */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
