// The specs of src and test, joined into few files for a run of all of them. Jest loads every module anew for each test file, which
// takes a unit spec more time than its tests do. A test file of this run imports some twenty specs, and `described-spec.mjs` puts the
// tests of each in a `describe` with its path. Failures name the spec and its line; a spec that is named to Jest still runs alone.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import config from './jest.config.js';

const FOLDER = join(import.meta.dirname, '.joined');
const FILES_OF_A_KIND = 12;

const SPECS = {
  unit: { glob: '{src,test}/**/*.spec.{ts,tsx}', suffix: 'spec' },
  database: { glob: '{src,test}/**/*.int-spec.ts', suffix: 'int-spec' },
};

/** Neighbours are joined, since they import the same modules. */
function joinSpecs(kind, { glob, suffix }) {
  const specs = globSync(glob, { cwd: import.meta.dirname }).sort();
  for (let index = 0; index < FILES_OF_A_KIND; index += 1) {
    const [first, end] = [index, index + 1].map((at) => Math.round((at * specs.length) / FILES_OF_A_KIND));
    const imports = specs.slice(first, end).map((spec) => `import '../${spec}';\n`);
    writeFileSync(join(FOLDER, `${kind}-${index + 1}.${suffix}.ts`), imports.join(''));
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const [kind, specs] of Object.entries(SPECS)) joinSpecs(kind, specs);

const DESCRIBED = '<rootDir>/test/support/described-spec.mjs';

function joined(project) {
  if (!(project.displayName in SPECS)) return project;
  const [[, [, ts]], [, [, tsx]]] = Object.entries(project.transform);
  return {
    ...project,
    testMatch: [`<rootDir>/.joined/${project.displayName}-*.ts`],
    transform: {
      '/(src|test)/.*spec\\.ts$': [DESCRIBED, ts],
      '/(src|test)/.*spec\\.tsx$': [DESCRIBED, tsx],
      ...project.transform,
    },
  };
}

export default { ...config, projects: config.projects.map(joined) };
