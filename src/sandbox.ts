import { readEnvironment } from './app/environment.js';
import { startFailureSentence } from './shared/platform/settings/start-failure.js';
import { readSandboxSettings } from './sandbox/sandbox-settings.js';
import { onStopRequest } from './sandbox/terminal/stop-request.js';
import { terminal } from './sandbox/terminal/screen.js';
import { startSandbox } from './sandbox/start-sandbox.js';
import { summary } from './sandbox/terminal/summary.js';

const screen = terminal();
try {
  const begun = performance.now();
  // A Ctrl-C on the way up waits for what is being started, then stops it: nothing is left behind half.
  const requested = onStopRequest(screen);
  const settings = readSandboxSettings(readEnvironment());
  const sandbox = await startSandbox(settings, screen);
  if (!requested.already()) process.stdout.write(summary(sandbox, performance.now() - begun));
  await requested.promise;
  screen.say('Stopping. It resumes here with npm start.');
  await sandbox.stop();
  process.exit(0);
} catch (error) {
  process.stderr.write(`The sandbox could not start. ${startFailureSentence(error)}\n`);
  process.exit(1);
}
