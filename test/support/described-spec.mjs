// A Jest transformer that puts the tests of a spec in a `describe` with the spec's path, for `jest.joined.config.js`. Nothing is added
// but to lines that are there, so that a failure names the spec's own line.
import { relative } from 'node:path';
import swc from '@swc/jest';

/** Comments, blank lines and imports, up to the last import. */
const IMPORTS = /^(?:\s*(?:\/\/.*\n|\/\*[^]*?\*\/|import\b[^;]*;))*/;

function described(source, path, { config }) {
  const end = IMPORTS.exec(source)[0].length;
  const name = JSON.stringify(relative(config.rootDir, path));
  return `${source.slice(0, end)}describe(${name}, () => {${source.slice(end)}});`;
}

export default {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    return {
      ...transformer,
      process: (source, path, more) => transformer.process(described(source, path, more), path, more),
      processAsync: (source, path, more) =>
        transformer.processAsync(described(source, path, more), path, more),
      getCacheKey: (source, path, more) => transformer.getCacheKey(described(source, path, more), path, more),
    };
  },
};
