// The provider for Medusa in a real Medusa server: `npm run rehearse -- medusa`. Arguments of Jest may follow. The first run installs
// Medusa into `~/.cache` (700 MB from npm's registry).
// @ts-expect-error A script has no types.
import { runJest } from '../../scripts/run-jest.mjs';

const run = runJest as (args: readonly string[]) => Promise<number>;
process.exit(await run(['--config', 'test/rehearsals/medusa/jest.config.js', ...process.argv.slice(2)]));
