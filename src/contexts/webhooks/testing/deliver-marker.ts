import { anAccount, statusChanged } from './payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { type webhooksFixture } from './webhooks-fixture.js';
import { startReceiver } from './receiver.js';

/**
 * A delivery to an account of its own: it shows that a worker has looked at the queue, and
 * has taken whatever was due before it.
 */
export async function deliverMarker(fixture: ReturnType<typeof webhooksFixture>): Promise<void> {
  const account = anAccount();
  const elsewhere = await startReceiver();
  try {
    const { id } = await fixture.register(account, elsewhere.url);
    await fixture.happen(statusChanged(account));
    await eventually(async () => {
      const [marker] = await fixture.rows<{ status: string }>(
        'SELECT status FROM webhooks.deliveries WHERE webhook_id = $1',
        [id],
      );
      return marker!.status === 'delivered';
    });
  } finally {
    await elsewhere.close();
  }
}
