// The plugin for Vendure in a real Vendure server: `npm run rehearse -- vendure`. Arguments of Jest may follow. The first run installs
// Vendure into `~/.cache` (250 MB from npm's registry).
// @ts-expect-error A script has no types.
import { runJest } from '../../scripts/run-jest.mjs';

const run = runJest as (args: readonly string[]) => Promise<number>;
process.exit(await run(['--config', 'test/rehearsals/vendure/jest.config.js', ...process.argv.slice(2)]));
