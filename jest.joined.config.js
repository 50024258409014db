// A run of all tests takes most of them as bundles, since Jest resolves, reads and links every module anew for each test file. The specs
// of src and test are joined into few bundles, each with its tests in a `describe` with its path. Failures name the spec and its line. A
// file that is named to Jest runs alone, from source.
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import config from './jest.config.js';
import { bundleTests } from './test/support/bundle-tests.mjs';

const ROOT = import.meta.dirname;
const FOLDER = '.joined';
/** Kinds that are joined into so many bundles. */
const JOINED = { unit: 6, database: 8 };
/** The other kinds have a bundle for each file. The tests of clients run from source, as their packages. */
const FROM_SOURCE = ['client'];
/** The kinds of this run. */
const KINDS = process.env.TEST_KINDS.split(',');

function filesOf({ testMatch }) {
  return testMatch.flatMap((glob) => globSync(glob.replace('<rootDir>/', ''), { cwd: ROOT })).sort();
}

/** @returns the files of each of a kind's bundles, by the path of the bundle. Neighbours are joined, since they import the same modules */
function bundlesOf(project) {
  const [kind, files] = [project.displayName, filesOf(project)];
  if (FROM_SOURCE.includes(kind) || !KINDS.includes(kind)) return [];
  const count = JOINED[kind];
  if (count === undefined) return files.map((file) => [`${kind}/${file.replace(/\.ts$/, '')}`, [file]]);
  return Array.from({ length: count }, (_, index) => {
    const [first, end] = [index, index + 1].map((at) => Math.round((at * files.length) / count));
    return [`${kind}/${index + 1}`, files.slice(first, end)];
  });
}

function bundled(project) {
  if (bundlesOf(project).length === 0) return project;
  return { ...project, testMatch: [`<rootDir>/${FOLDER}/${project.displayName}/**/*.mjs`] };
}

rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
await bundleTests(Object.fromEntries(config.projects.flatMap(bundlesOf)), join(ROOT, FOLDER));

export default { ...config, projects: config.projects.map(bundled) };
