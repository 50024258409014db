import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PaymentCollectionError } from '../payment-collection-error.js';
import { webhookListener } from '../webhook-listener.js';
import { CommandFailed } from './command-failed.js';
import { findAccountId, type Connection } from './connection.js';
import { TemporaryWebhooks } from './temporary-webhooks.js';
import { printEvent, printMessageToStderr } from './terminal.js';

export interface ListenArguments {
  readonly port: number;
  /** URL to which the service sends deliveries. Default: the port on 127.0.0.1. */
  readonly url?: string | undefined;
  readonly account?: string | undefined;
  /** Secrets of existing webhooks. If empty, the command registers its own webhooks. */
  readonly secrets: readonly string[];
}

/** Verifies and prints webhooks until SIGINT or SIGTERM. @param connect called only if no secrets are given */
export async function listen(connect: () => Connection, args: ListenArguments): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const connection = args.secrets.length === 0 ? connect() : undefined;
  const webhooks = connection && new TemporaryWebhooks(connection.client);
  const secret = () => webhooks?.secrets ?? args.secrets;
  const onError = (error: unknown) => printMessageToStderr(`Refused: ${(error as Error).message}`);
  const server = createServer(webhookListener({ secret, handle: printEvent, onError }));
  server.listen(args.port, '127.0.0.1');
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandFailed(
      `Cannot listen on port ${args.port} (${code}). Specify another port with --port.`,
    );
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    if (connection && webhooks) await register(webhooks, connection, args.url ?? address, args.account);
    printMessageToStderr(
      `Listening on ${address}. Press Ctrl-C to stop${webhooks ? ' and to delete the webhooks' : ''}.`,
    );
    await stopped;
    await webhooks?.delete().catch(ignoreNotFound);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function register(
  webhooks: TemporaryWebhooks,
  connection: Connection,
  url: string,
  account: string | undefined,
): Promise<void> {
  const accountID = await findAccountId(connection, account);
  const eventTypes = ['payment_request', 'refund'] as const;
  await webhooks
    .register({ accountID, url, description: 'payment-collection listen', eventTypes })
    .catch((error: unknown) => {
      throw explained(error, url);
    });
}

/** Ignores `not_found`, because another client may have deleted the webhook. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof PaymentCollectionError && error.status === 404)) throw error;
}

function explained(error: unknown, url: string): unknown {
  const isOfUrl =
    error instanceof PaymentCollectionError && error.fields.some(({ field }) => field === 'url');
  if (!isOfUrl) return error;
  return new CommandFailed(
    `The service rejects the webhook URL ${url}: ${error.message} Outside a sandbox, forward a public https URL to this machine and ` +
      'pass it with --url, or pass the secret of an existing webhook with --secret.',
  );
}
