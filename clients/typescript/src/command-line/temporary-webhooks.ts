import { once } from 'node:events';
import { connect } from 'node:net';
import type { Schemas } from '../api-types.js';
import type { PaymentCollectionClient } from '../payment-collection-client.js';

export interface Registration {
  readonly accountID: string;
  /** Where the program listens already. */
  readonly url: string;
  /** Names the program. */
  readonly description: string;
  readonly eventTypes: readonly Schemas['RegisterWebhookBody']['event_type'][];
}

/** Webhooks of an account that exist only while the program that listens at their URL runs. */
export class TemporaryWebhooks {
  private readonly webhooks: Schemas['RegisteredWebhook'][] = [];

  constructor(private readonly client: PaymentCollectionClient) {}

  /**
   * Registers a webhook for each type of event, and deletes those that killed runs of the same program left.
   * @throws PaymentCollectionError: then none is left registered
   */
  async register({ accountID, url, description, eventTypes }: Registration): Promise<this> {
    const { client } = this;
    const path = { accountID };
    for await (const earlier of client.list('/v1/account/{accountID}/webhook/list', { path })) {
      if (earlier.description !== description || !(await isAbandoned(earlier.url, url))) continue;
      // Another run may delete it at the same moment: the outcome is the same.
      await remove(client, earlier).catch(() => undefined);
    }
    try {
      for (const event_type of eventTypes) {
        const body = { url, event_type, description };
        this.webhooks.push(await client.post('/v1/account/{accountID}/webhook', { params: { path }, body }));
      }
    } catch (error) {
      await this.delete().catch(() => undefined);
      throw error;
    }
    return this;
  }

  get ids(): string[] {
    return this.webhooks.map(({ id }) => id);
  }

  get secrets(): string[] {
    return this.webhooks.map(({ secret }) => secret);
  }

  /**
   * Deletes each, also after one that failed.
   * @throws PaymentCollectionError of the first that failed, with code `not_found` where somebody else has deleted it
   */
  async delete(): Promise<void> {
    const deletions = this.webhooks.splice(0).map((webhook) => remove(this.client, webhook));
    for (const outcome of await Promise.allSettled(deletions))
      if (outcome.status === 'rejected') throw outcome.reason;
  }
}

async function remove(
  client: PaymentCollectionClient,
  { id, account_id }: Pick<Schemas['Webhook'], 'id' | 'account_id'>,
): Promise<void> {
  const params = { path: { accountID: account_id, webhookID: id } };
  await client.delete('/v1/account/{accountID}/webhook/{webhookID}/delete', { params });
}

/**
 * True for the URL of the program itself. Where that is a loopback URL, so that the service is on this machine, true also for
 * another one where nothing listens; where something does, another run of the program may be in use.
 */
async function isAbandoned(earlier: string, own: string): Promise<boolean> {
  if (earlier === own) return true;
  const address = loopbackAddress(earlier);
  if (address === undefined || loopbackAddress(own) === undefined) return false;
  const socket = connect(address);
  const refused = once(socket, 'connect').then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
  );
  return refused.finally(() => socket.destroy());
}

function loopbackAddress(url: string): { host: string; port: number } | undefined {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/[[\]]/g, '');
  return /^(127(\.\d+){3}|::1)$/.test(host) ? { host, port: Number(port || 80) } : undefined;
}
