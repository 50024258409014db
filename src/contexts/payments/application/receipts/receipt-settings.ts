export class ReceiptSettings {
  /** @param mailsPerDay mails with receipts of one organization within 24 hours; what is beyond waits */
  constructor(readonly mailsPerDay: number = 5_000) {}
}
