import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { readEnvironment, readOperatorEnvironment } from '#app/settings/environment.js';
import { readSandboxSettings } from './sandbox-settings.js';
import { CannotStart } from './processes/child-process.js';
import { runDemoScenario } from './demonstration/demo-scenario.js';
import { SubscriptionScenario } from './demonstration/subscription-scenario.js';
import type { StepReporter } from './demonstration/story.js';
import { SandboxFolder, type SandboxFile } from './folder/sandbox-folder.js';
import { readArguments, runProgram, onStopRequest } from './terminal/run-program.js';
import { seconds, terminalOutput } from './terminal/terminal-output.js';
import { startSandbox } from './start-sandbox.js';
import { findRunningSandbox } from './folder/sandbox-lock.js';

const output = terminalOutput();

const STORIES = ['payment', 'subscription'];
const USAGE = `Runs a story against the sandbox, each step checked:

  npm run demo                    a payment, its settlement and a refund
  npm run demo -- subscription    a subscription from its offer to its end; moves the sandbox's clock by three months`;

/** Writes the steps to standard output, one line per step. */
const reporter: StepReporter = {
  async step(title, work) {
    const begun = performance.now();
    try {
      const [words, result] = await work();
      process.stdout.write(`  ok  ${title}: ${words} (${seconds(performance.now() - begun)})\n`);
      return result;
    } catch (error) {
      process.stdout.write(`FAIL  ${title}\n`);
      throw error;
    }
  },
};

async function withSandbox(work: (file: SandboxFile) => Promise<void>): Promise<void> {
  const settings = readSandboxSettings(readEnvironment());
  const folder = new SandboxFolder(settings.directory);
  const running = await findRunningSandbox(folder, output);
  if (running !== undefined) return work(running);
  output.print('No sandbox is running: one is started for the demonstration and stopped after it.');
  const requested = onStopRequest(output);
  const sandbox = await startSandbox(settings, output);
  try {
    const stopped = requested.promise.then(() => {
      throw new Error('It was stopped before it ended.');
    });
    await Promise.race([work(sandbox.file), stopped]);
  } finally {
    await sandbox.stop();
  }
}

async function runSubscription(file: SandboxFile): Promise<void> {
  const operator = new OperatorCommandRunner({
    environment: readOperatorEnvironment(),
    actor: 'demonstration',
  });
  try {
    await new SubscriptionScenario(file, operator, reporter).run();
  } finally {
    await operator.close();
  }
}

await runProgram(async () => {
  const begun = performance.now();
  const { positionals } = readArguments(process.argv.slice(2), {}, USAGE);
  const [story = 'payment', ...more] = positionals;
  if (!STORIES.includes(story) || more.length > 0) {
    throw new CannotStart(`There is no such demonstration.\n\n${USAGE}`);
  }
  await withSandbox(async (file) => {
    if (file.payer === null) {
      throw new CannotStart(
        'The networks are yours (NETWORKS_FILE), and the demonstration pays on the sandbox chain only.',
      );
    }
    if (story === 'subscription' && file.bitcoin_pos_id !== null) {
      throw new CannotStart(
        'This sandbox has Bitcoin, which limits its clock to two hours, and the subscription needs three months. ' +
          'Stop it, clear it with npm run reset, and start it without --bitcoin.',
      );
    }
    process.stdout.write(`One ${story} through ${file.api_url}, each step checked:\n`);
    await (story === 'payment' ? runDemoScenario(file, reporter) : runSubscription(file));
  });
  process.stdout.write(`All steps hold (${seconds(performance.now() - begun)}).\n`);
}, 'The demonstration failed. ');
