/** `cluster_name` of a sandbox's embedded PostgreSQL, the only server whose clock may be moved. */
export const SANDBOX_CLUSTER = 'payment-collection-sandbox';
