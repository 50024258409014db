import type { EventListDto } from '#contexts/webhooks/infrastructure/events/http/events.dto.js';
import { startReceiver } from '#contexts/webhooks/testing/receiver.js';
import { newId } from '#shared/kernel/ids.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../eventually.js';
import { type TestService } from '../service.js';

const SPARE = 5_000;

export type HostileWebhooks = Awaited<ReturnType<typeof furnishWebhooks>>;

/** Webhooks of the home account: one at a receiver that acknowledges, an idle one, and one more each time. */
export async function furnishWebhooks(service: TestService) {
  const receiver = await startReceiver();
  try {
    const path = `/v1/account/${service.seed.accountId}/webhook`;
    const register = () =>
      service.api.post<{ id: string }>(path, { url: receiver.url, event_type: 'incoming_transfer' });
    const [{ id: webhookId }, { id: idleId }] = [await register(), await register()];
    const test = await service.api.post<{ delivery_id: string }>(`${path}/${webhookId}/test`, {});
    const eventId = await payOnce(service);
    const spares = await copies(service, idleId);
    return {
      ...{ webhookId, idleId, eventId, deliveryId: test.delivery_id },
      spare: () => spares.pop()!,
      stop: () => receiver.close(),
    };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

async function payOnce({ api, seed, assets, wallet }: TestService): Promise<string> {
  const { unique_asset_id, decimals } = assets[0]!;
  const body = { amount: '1', unique_asset_id };
  const { address } = await api.post<{ address: `0x${string}` }>(
    `/v1/pos/${seed.posId}/payment-request`,
    body,
  );
  await wallet.mined(await wallet.send(tokenOf(unique_asset_id), address, 10n ** BigInt(decimals)));
  const { data } = await eventually(
    () => api.get<EventListDto>('/v1/events'),
    (events) => events.data.length > 0,
  );
  return data[0]!.id;
}

async function copies({ query }: TestService, id: string): Promise<string[]> {
  const ids = Array.from({ length: SPARE }, () => newId<string>());
  await query(
    `INSERT INTO webhooks.webhooks
     SELECT (jsonb_populate_record(w, jsonb_build_object('id', copy.id))).*
     FROM webhooks.webhooks w, UNNEST($2::uuid[]) AS copy (id) WHERE w.id = $1`,
    [id, ids],
  );
  await query(
    `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
     SELECT created_at, 'test', 'webhook.registered', organization_id, id, to_jsonb(w)
     FROM webhooks.webhooks w WHERE id = ANY ($1)`,
    [ids],
  );
  return ids;
}
