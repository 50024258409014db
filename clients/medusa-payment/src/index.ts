import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { PaymentCollectionProvider } from './provider.js';

export type { PaymentCollectionOptions } from './options.js';
export type { RefundOfPayment, SessionData } from './session-data.js';

export default ModuleProvider(Modules.PAYMENT, { services: [PaymentCollectionProvider] });
