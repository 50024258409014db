export { PaymentCollectionPlugin } from './plugin.js';
export type { PaymentCollectionOptions } from './options.js';
