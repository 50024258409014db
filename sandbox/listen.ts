import { TemporaryWebhooks } from '#client/command-line/temporary-webhooks.js';
import { readEnvironment } from '#app/settings/environment.js';
import { startFailureSentence } from '#shared/platform/setting-reader.js';
import { readSandboxSettings } from './sandbox-settings.js';
import { sandboxTime } from './chain/chain-rpc.js';
import { findRunningSandbox } from './folder/sandbox-lock.js';
import { SandboxFolder, type SandboxFile } from './folder/sandbox-folder.js';
import { DeliveryHandler, listenForDeliveries, type DeliveryServer } from './listener/delivery-listener.js';
import { readListenArguments, type ListenArguments } from './listener/listen-arguments.js';
import { merchantClient } from './merchant/merchant-client.js';
import { CannotStart } from './processes/child-process.js';
import { runProgram, onStopRequest } from './terminal/run-program.js';
import { terminalOutput } from './terminal/terminal-output.js';

const output = terminalOutput();

/**
 * Prints deliveries to standard output, and everything else to standard error.
 * @returns the exit status
 */
async function listen(): Promise<number> {
  const args = readListenArguments(process.argv.slice(2));
  const sandbox = args.secrets.length > 0 ? undefined : await requireSandbox();
  const requested = onStopRequest(output);
  const handler = new DeliveryHandler({
    answer: args.answer,
    show: (report) => process.stdout.write(`${report}\n`),
    clock: clockOf(sandbox),
  });
  const server = await open(args, handler);
  const webhook = sandbox && (await register(sandbox, server));
  handler.verifyWith(webhook?.secrets ?? args.secrets);
  introduce(server, webhook, args);
  await requested.promise;
  const status = sandbox && webhook ? await takeAway(webhook, sandbox.account_id) : 0;
  await server.close();
  return status;
}

/** Falls back to real time for deliveries received while the chain restarts. */
function clockOf(sandbox: SandboxFile | undefined): (() => Promise<Date>) | undefined {
  if (!sandbox?.payer) return undefined;
  return () => sandboxTime(sandbox.networks[0]!.rpc_url).catch(() => new Date());
}

async function requireSandbox(): Promise<SandboxFile> {
  const folder = new SandboxFolder(readSandboxSettings(readEnvironment()).directory);
  const sandbox = await findRunningSandbox(folder, output);
  if (sandbox !== undefined) return sandbox;
  throw new CannotStart(
    'No sandbox is running, so there is no secret to verify signatures with. Start one with npm start, ' +
      'or pass the secret of your own webhook: npm run listen -- 4100 --secret whsec_…',
  );
}

async function open(args: ListenArguments, handler: DeliveryHandler): Promise<DeliveryServer> {
  const { host, port, path } = args;
  try {
    return await listenForDeliveries({
      host,
      port,
      path,
      handle: (received) => handler.handle(received),
      onRefused: (sentence) => output.print(sentence),
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'EADDRINUSE' ? 'is used by another program' : `cannot be listened on (${code ?? message})`;
    throw new CannotStart(`Port ${port} on ${host} ${why}. Give another one: npm run listen -- <port>.`);
  }
}

function register(sandbox: SandboxFile, { url }: DeliveryServer): Promise<TemporaryWebhooks> {
  return new TemporaryWebhooks(merchantClient(sandbox)).register({
    ...{ accountID: sandbox.account_id, url, description: 'npm run listen' },
    eventTypes: ['payment_request'],
  });
}

function introduce(
  { url }: DeliveryServer,
  webhook: TemporaryWebhooks | undefined,
  { answer, secrets }: ListenArguments,
): void {
  output.print(`Listening on ${url}. Press Ctrl-C to stop.`);
  if (answer !== undefined) output.print(`Every delivery is answered ${answer}, as --answer says.`);
  if (webhook === undefined) {
    return output.print(
      `Verifying with ${secrets.length === 1 ? 'the secret' : `${secrets.length} secrets`} given.`,
    );
  }
  output.print(`Webhook ${webhook.ids.join()} of the sandbox leads here, and is deleted at the end.`);
  output.print('Pay something in another terminal: npm run demo, or npm run pay.');
}

/** @returns the exit status */
async function takeAway(webhook: TemporaryWebhooks, accountId: string): Promise<number> {
  const id = webhook.ids.join();
  try {
    await output.withProgress(`Deleting webhook ${id}`, () => webhook.delete());
    output.print(`Webhook ${id} is deleted.`);
    return 0;
  } catch (error) {
    output.print(
      `Webhook ${id} is not deleted. ${startFailureSentence(error)} It stays, and fails from now on; ` +
        `delete it with DELETE /v1/account/${accountId}/webhook/${id}/delete.`,
    );
    return 1;
  }
}

await runProgram(listen);
