/** Whether the webhook `w` of a delivery `d` has been active without a break since the delivery was queued. */
export const WANTED = `w.active AND d.queued_in > w.subscribed_since`;
