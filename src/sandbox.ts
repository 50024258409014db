import { readEnvironment } from '#app/settings/environment.js';
import { runProgram, onStopRequest } from './sandbox/terminal/run-program.js';
import { readSandboxSettings } from './sandbox/sandbox-settings.js';
import { terminalOutput } from './sandbox/terminal/terminal-output.js';
import { startSandbox } from './sandbox/start-sandbox.js';
import { startupSummary } from './sandbox/terminal/startup-summary.js';

const output = terminalOutput();
await runProgram(async () => {
  const begun = performance.now();
  // A Ctrl-C during the start waits for it to finish, then stops everything: no part is left half started.
  const requested = onStopRequest(output);
  const settings = readSandboxSettings(readEnvironment());
  const sandbox = await startSandbox(settings, output);
  if (!requested.already()) process.stdout.write(startupSummary(sandbox, performance.now() - begun));
  await requested.promise;
  output.print('Stopping. It resumes here with npm start.');
  await sandbox.stop();
}, 'The sandbox could not start. ');
