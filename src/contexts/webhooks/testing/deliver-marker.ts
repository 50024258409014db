import { anAccount, eventually, statusChanged, type deliveryBench } from './webhooks-fixture.js';
import { startReceiver } from './receiver.js';

/**
 * Something that must be told, and is, to an account of its own: it shows that a worker has looked at the queue, and
 * has taken whatever was due before it.
 */
export async function deliverMarker(bench: ReturnType<typeof deliveryBench>): Promise<void> {
  const account = anAccount();
  const elsewhere = await startReceiver();
  try {
    const { id } = await bench.register(account, elsewhere.url);
    await bench.happen(statusChanged(account));
    await eventually(async () => {
      const [marker] = await bench.rows<{ status: string }>(
        'SELECT status FROM webhooks.deliveries WHERE webhook_id = $1',
        [id],
      );
      return marker!.status === 'delivered';
    }, 10_000);
  } finally {
    await elsewhere.close();
  }
}
