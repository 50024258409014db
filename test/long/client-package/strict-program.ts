/** A merchant's program, which compiles only where the types of the installed package are whole. */
export const STRICT_PROGRAM = `
import { isPaid, PaymentCollectionClient, verifyWebhook, type Schemas } from 'payment-collection-client';

const client = PaymentCollectionClient.fromEnvironment();
const account: Schemas['Account'] = await client.get('/v1/account/{accountID}', {
  params: { path: { accountID: 'a' } },
});
const { data } = verifyWebhook({ body: '', headers: new Headers(), secret: 'whsec_' });
if (data.notification_type === 'refund_status_update') console.log(data.refund_id.length, account.id);
else console.log(isPaid(data.status));
// @ts-expect-error no such operation
await client.get('/v1/nothing');
`;
