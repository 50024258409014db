import { PaymentCollectionClient } from '#client/payment-collection-client.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';

export function merchantClient(sandbox: Pick<SandboxFile, 'api_url' | 'api_key' | 'api_secret'>) {
  const { api_url: baseUrl, api_key: apiKey, api_secret: apiSecret } = sandbox;
  return new PaymentCollectionClient({ baseUrl, apiKey, apiSecret });
}
