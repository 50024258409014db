/**
 * `cluster_name` of the PostgreSQL server that a sandbox starts itself. Only the clock of such a server may be moved.
 */
export const SANDBOX_CLUSTER_NAME = 'payment-collection-sandbox';
