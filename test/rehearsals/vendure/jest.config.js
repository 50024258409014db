// The suites of this folder, which test:all does not run: they are needed before a release, not for each change.
import config from '../../../jest.config.js';

const rootDir = process.cwd();
const database = config.projects.find(({ displayName }) => displayName === 'long');
const testMatch = ['<rootDir>/test/rehearsals/vendure/all.suite.ts'];

export default {
  ...config,
  rootDir,
  projects: [{ ...database, rootDir, displayName: 'vendure', testMatch }],
};
