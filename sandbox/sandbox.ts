import { readEnvironment } from '#app/settings/environment.js';
import { readArguments, runProgram, onStopRequest } from './terminal/run-program.js';
import { readSandboxSettings } from './sandbox-settings.js';
import { terminalOutput } from './terminal/terminal-output.js';
import { startSandbox } from './start-sandbox.js';
import { startupSummary } from './terminal/startup-summary.js';

const USAGE = `Starts the sandbox:

  npm start                 with a chain of play money, a database and the service
  npm start -- --bitcoin    with a Bitcoin chain (btcd in regtest) beside it
  npm start -- --tron       with a TRON network beside it`;

const output = terminalOutput();
await runProgram(async () => {
  const begun = performance.now();
  // A Ctrl-C during startup takes effect afterwards, so that no part is left half started.
  const requested = onStopRequest(output);
  const { values } = readArguments(
    process.argv.slice(2),
    { bitcoin: { type: 'boolean' }, tron: { type: 'boolean' } },
    USAGE,
  );
  const settings = readSandboxSettings(readEnvironment());
  const sandbox = await startSandbox(settings, output, {
    bitcoin: values.bitcoin === true,
    tron: values.tron === true,
  });
  if (!requested.already()) process.stdout.write(startupSummary(sandbox, performance.now() - begun));
  await requested.promise;
  output.print('Stopping. It resumes here with npm start.');
  await sandbox.stop();
}, 'The sandbox could not start. ');
