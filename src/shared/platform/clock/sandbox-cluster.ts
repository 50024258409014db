/** `cluster_name` of a sandbox's embedded PostgreSQL, the only one whose clock may be moved. */
export const SANDBOX_CLUSTER = 'payment-collection-sandbox';
