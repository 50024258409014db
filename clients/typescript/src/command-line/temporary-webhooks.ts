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

  private constructor(private readonly client: PaymentCollectionClient) {}

  /**
   * Registers a webhook for each type of event, and deletes those that killed runs of the same program left.
   * @throws PaymentCollectionError: then none is left registered
   */
  static async register(
    client: PaymentCollectionClient,
    { accountID, url, description, eventTypes }: Registration,
  ): Promise<TemporaryWebhooks> {
    const registered = new TemporaryWebhooks(client);
    const path = { accountID };
    for await (const earlier of client.list('/v1/account/{accountID}/webhook/list', { path })) {
      if (earlier.description !== description || !(await isAbandoned(earlier.url, url))) continue;
      // Another run may delete it at the same moment: the outcome is the same.
      await remove(client, earlier).catch(() => undefined);
    }
    try {
      for (const event_type of eventTypes) {
        const body = { url, event_type, description };
        registered.webhooks.push(
          await client.post('/v1/account/{accountID}/webhook', { params: { path }, body }),
        );
      }
    } catch (error) {
      await registered.delete().catch(() => undefined);
      throw error;
    }
    return registered;
  }

  get ids(): string[] {
    return this.webhooks.map(({ id }) => id);
  }

  get secrets(): string[] {
    return this.webhooks.map(({ secret }) => secret);
  }

  /** @throws PaymentCollectionError, with code `not_found` where somebody else has deleted one */
  async delete(): Promise<void> {
    for (const webhook of this.webhooks.splice(0)) await remove(this.client, webhook);
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
 * True for the URL of the program itself, and for a loopback URL where nothing listens. Where something does, another run of the
 * program may be in use.
 */
async function isAbandoned(earlier: string, own: string): Promise<boolean> {
  if (earlier === own) return true;
  const { hostname, port } = new URL(earlier);
  const host = hostname.replace(/[[\]]/g, '');
  if (!/^(127(\.\d+){3}|::1)$/.test(host)) return false;
  const socket = connect(Number(port || 80), host);
  const refused = once(socket, 'connect').then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
  );
  return refused.finally(() => socket.destroy());
}
