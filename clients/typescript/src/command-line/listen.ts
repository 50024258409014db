import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Schemas } from '../api-types.js';
import type { PaymentCollectionClient } from '../payment-collection-client.js';
import { PaymentCollectionError } from '../payment-collection-error.js';
import { webhookListener } from '../webhook-listener.js';
import { CommandFailed } from './command-failed.js';
import { accountOf, type Connection } from './connection.js';
import { printEvent, printLine } from './terminal.js';

export interface ListenArguments {
  readonly port: number;
  /** Where the service is to send deliveries; the port itself where it is left out. */
  readonly url?: string | undefined;
  readonly account?: string | undefined;
  /** To verify with; then nothing is registered. */
  readonly secrets: readonly string[];
}

const EVENT_TYPES = ['payment_request', 'refund'] as const;
const DESCRIPTION = 'payment-collection listen';

/** Verifies and prints webhooks until a signal comes. @param connect is not asked where secrets are given */
export async function listen(connect: () => Connection, args: ListenArguments): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const secret = [...args.secrets];
  const onError = (error: unknown) => printLine(`Refused: ${(error as Error).message}`);
  const server = createServer(webhookListener({ secret, handle: printEvent, onError }));
  server.listen(args.port, '127.0.0.1');
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandFailed(`Port ${args.port} cannot be listened on (${code}). Give another one: --port`);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const webhooks = secret.length > 0 ? undefined : new Webhooks(connect(), args.account);
    await webhooks?.register(args.url ?? address, secret);
    printLine(`Listening on ${address}. Ctrl-C ends it${webhooks ? ', and deletes its webhooks' : ''}.`);
    await stopped;
    await webhooks?.remove();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The account's webhook, which exists for the time that a program runs. */
class Webhooks {
  private readonly client: PaymentCollectionClient;
  private readonly registered: Schemas['RegisteredWebhook'][] = [];

  constructor(
    private readonly connection: Connection,
    private readonly account: string | undefined,
  ) {
    this.client = connection.client;
  }

  /** @param secrets gains those of the webhooks */
  async register(url: string, secrets: string[]): Promise<void> {
    const accountID = await accountOf(this.connection, this.account);
    await this.removeEarlier(accountID, url);
    try {
      for (const event_type of EVENT_TYPES) {
        const params = { path: { accountID } };
        const body = { url, event_type, description: DESCRIPTION };
        const webhook = await this.client.post('/v1/account/{accountID}/webhook', { params, body });
        secrets.push(webhook.secret);
        this.registered.push(webhook);
      }
    } catch (error) {
      await this.remove();
      throw explained(error, url);
    }
  }

  async remove(): Promise<void> {
    for (const webhook of this.registered.splice(0)) await this.delete(webhook);
  }

  /** A killed run leaves its webhook behind: nobody else listens at this address. */
  private async removeEarlier(accountID: string, url: string): Promise<void> {
    const path = { accountID };
    for await (const webhook of this.client.list('/v1/account/{accountID}/webhook/list', { path }))
      if (webhook.description === DESCRIPTION && webhook.url === url) await this.delete(webhook);
  }

  private async delete({ id, account_id }: Schemas['Webhook']): Promise<void> {
    const params = { path: { accountID: account_id, webhookID: id } };
    await this.client
      .delete('/v1/account/{accountID}/webhook/{webhookID}/delete', { params })
      .catch((error: unknown) => {
        if (!(error instanceof PaymentCollectionError && error.status === 404)) throw error;
      });
  }
}

function explained(error: unknown, url: string): unknown {
  const isOfUrl =
    error instanceof PaymentCollectionError && error.fields.some(({ field }) => field === 'url');
  if (!isOfUrl) return error;
  return new CommandFailed(
    `The service takes no webhook at ${url}: ${error.message} Outside of a sandbox it wants a public https URL: lead one here, ` +
      'and name it by --url; or verify what another webhook sends here, by --secret.',
  );
}
