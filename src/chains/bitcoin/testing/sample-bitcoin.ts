export function sampleBitcoin(changes: object = {}): Record<string, unknown> {
  return {
    network: 'bitcoin',
    name: 'Bitcoin',
    family: 'bitcoin',
    chain: 'regtest',
    rpc_urls: ['http://127.0.0.1:18443'],
    assets: [{ token: 'BTC', symbol: 'BTC', name: 'Bitcoin', decimals: 8, minimum_amount: '0.00001' }],
    ...changes,
  };
}
