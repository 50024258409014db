import { once } from 'node:events';
import { connect } from 'node:net';
import type { Schemas } from '../api-types.js';
import type { PaymentCollectionClient } from '../payment-collection-client.js';

export interface WebhookRegistration {
  readonly accountID: string;
  /** URL at which the program already listens. */
  readonly url: string;
  /** Description that identifies the program's webhooks. */
  readonly description: string;
  readonly eventTypes: readonly Schemas['RegisterWebhookBody']['event_type'][];
}

/** Webhooks that exist only while the program that registered them runs. */
export class TemporaryWebhooks {
  private readonly webhooks: Schemas['RegisteredWebhook'][] = [];

  constructor(private readonly client: PaymentCollectionClient) {}

  /**
   * Registers a webhook for each event type, and deletes webhooks left by earlier runs of the program.
   * @throws PaymentCollectionError after it has deleted the webhooks registered so far
   */
  async register({ accountID, url, description, eventTypes }: WebhookRegistration): Promise<this> {
    const { client } = this;
    const path = { accountID };
    for await (const earlier of client.list('/v1/account/{accountID}/webhook/list', { path })) {
      if (earlier.description !== description || !(await isAbandoned(earlier.url, url))) continue;
      // Another run may delete the same webhook concurrently.
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
   * Deletes all webhooks, even if some deletions fail.
   * @throws PaymentCollectionError the first failure; `not_found` if another client has deleted the webhook
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
 * Returns whether an earlier run left the webhook: it has the program's own URL, or both URLs are loopback URLs and nothing listens at
 * the earlier one. If something listens there, another run may still use the webhook.
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
