import type { Catalogue } from '#shared/web/messages/languages.js';
import type { ReceiptStatus } from '#contexts/payments/domain/receipts/receipt-status-rule.js';

/** Texts of receipts beside those of the checkout's pages. */
export interface ReceiptTexts {
  readonly receiptOf: (merchant: string) => string;
  readonly status: Readonly<Record<ReceiptStatus, string>>;
  readonly statusNote: Readonly<Record<ReceiptStatus, string>>;
  readonly postalAddress: string;
  readonly asked: string;
  readonly rateNote: (sources: string, time: string) => string;
  readonly feeName: string;
  readonly networkFeeNote: (fee: string) => string;
  readonly transactions: string;
  readonly reversedOn: (time: string) => string;
  readonly reversed: string;
  readonly others: string;
  readonly othersNote: string;
  readonly refunds: string;
  readonly block: (number: string, time: string) => string;
  readonly unknownTransaction: string;
  readonly signed: string;
  readonly signedNote: string;
  readonly statedAt: (time: string) => string;
  readonly unsubscribeTitle: string;
  readonly unsubscribeNote: string;
  readonly unsubscribe: string;
  readonly unsubscribed: string;
  readonly unsubscribedNote: string;
}

const EN: ReceiptTexts = {
  receiptOf: (merchant) => `Receipt from ${merchant}`,
  status: {
    paid: 'Paid',
    partly_paid: 'Paid in part',
    partly_refunded: 'Refunded in part',
    refunded: 'Refunded',
    partly_reversed: 'Reversed in part',
    reversed: 'Reversed',
  },
  statusNote: {
    paid: 'The merchant has received the payment, and it is final.',
    partly_paid: 'The merchant has received less than it asked for. This is no receipt for the whole amount.',
    partly_refunded: 'The merchant has paid a part back.',
    refunded: 'The merchant has paid the payment back.',
    partly_reversed:
      'A transaction of this payment has disappeared from its network. A part is no longer paid.',
    reversed: 'The transaction of this payment has disappeared from its network. It is no longer paid.',
  },
  postalAddress: 'Address',
  asked: 'Asked for',
  rateNote: (sources, time) => `${sources}, ${time}`,
  feeName: 'Network fee',
  networkFeeNote: (fee) => `Not included. A transfer costs its sender ${fee} now.`,
  transactions: 'Transactions',
  reversedOn: (time) => `Reversed on ${time}`,
  reversed: 'Reversed',
  others: 'Also received',
  othersNote: 'Too late or in another coin: no part of this payment.',
  refunds: 'Refunds',
  block: (number, time) => `Block ${number}, ${time}`,
  unknownTransaction: 'Found by the balance of the address; the transaction is not known.',
  signed: 'Signed document (JSON)',
  signedNote: 'Anybody can verify its signature with the published keys.',
  statedAt: (time) => `As of ${time}`,
  unsubscribeTitle: 'No more mails?',
  unsubscribeNote: 'Press the button, and this address gets no more mails about payments to this merchant.',
  unsubscribe: 'Send me no more mails',
  unsubscribed: 'No more mails',
  unsubscribedNote:
    'This address gets no more mails about payments to this merchant. You can close this page.',
};

const ES: ReceiptTexts = {
  receiptOf: (merchant) => `Recibo de ${merchant}`,
  status: {
    paid: 'Pagado',
    partly_paid: 'Pagado en parte',
    partly_refunded: 'Reembolsado en parte',
    refunded: 'Reembolsado',
    partly_reversed: 'Revertido en parte',
    reversed: 'Revertido',
  },
  statusNote: {
    paid: 'El comercio ha recibido el pago, y es definitivo.',
    partly_paid: 'El comercio ha recibido menos de lo que pidió. No es un recibo del importe completo.',
    partly_refunded: 'El comercio ha devuelto una parte.',
    refunded: 'El comercio ha devuelto el pago.',
    partly_reversed: 'Una transacción de este pago ha desaparecido de su red. Una parte ya no está pagada.',
    reversed: 'La transacción de este pago ha desaparecido de su red. Ya no está pagado.',
  },
  postalAddress: 'Dirección',
  asked: 'Importe pedido',
  rateNote: (sources, time) => `${sources}, ${time}`,
  feeName: 'Comisión de red',
  networkFeeNote: (fee) => `No incluida. Una transferencia le cuesta ahora ${fee} a quien la envía.`,
  transactions: 'Transacciones',
  reversedOn: (time) => `Revertida el ${time}`,
  reversed: 'Revertido',
  others: 'También recibido',
  othersNote: 'Demasiado tarde o en otra moneda: no es parte de este pago.',
  refunds: 'Reembolsos',
  block: (number, time) => `Bloque ${number}, ${time}`,
  unknownTransaction: 'Encontrado por el saldo de la dirección; no se conoce la transacción.',
  signed: 'Documento firmado (JSON)',
  signedNote: 'Cualquiera puede verificar su firma con las claves publicadas.',
  statedAt: (time) => `Estado a ${time}`,
  unsubscribeTitle: '¿No más correos?',
  unsubscribeNote: 'Pulsa el botón y esta dirección no recibirá más correos sobre pagos a este comercio.',
  unsubscribe: 'No enviarme más correos',
  unsubscribed: 'No más correos',
  unsubscribedNote:
    'Esta dirección no recibirá más correos sobre pagos a este comercio. Puedes cerrar esta página.',
};

const PT: ReceiptTexts = {
  receiptOf: (merchant) => `Recibo de ${merchant}`,
  status: {
    paid: 'Pago',
    partly_paid: 'Pago em parte',
    partly_refunded: 'Reembolsado em parte',
    refunded: 'Reembolsado',
    partly_reversed: 'Revertido em parte',
    reversed: 'Revertido',
  },
  statusNote: {
    paid: 'O comerciante recebeu o pagamento, e ele é definitivo.',
    partly_paid: 'O comerciante recebeu menos do que pediu. Este não é um recibo do valor completo.',
    partly_refunded: 'O comerciante devolveu uma parte.',
    refunded: 'O comerciante devolveu o pagamento.',
    partly_reversed: 'Uma transação deste pagamento desapareceu da sua rede. Uma parte já não está paga.',
    reversed: 'A transação deste pagamento desapareceu da sua rede. Ele já não está pago.',
  },
  postalAddress: 'Endereço',
  asked: 'Valor pedido',
  rateNote: (sources, time) => `${sources}, ${time}`,
  feeName: 'Taxa de rede',
  networkFeeNote: (fee) => `Não incluída. Uma transferência custa agora ${fee} a quem envia.`,
  transactions: 'Transações',
  reversedOn: (time) => `Revertida em ${time}`,
  reversed: 'Revertido',
  others: 'Também recebido',
  othersNote: 'Tarde demais ou em outra moeda: não faz parte deste pagamento.',
  refunds: 'Reembolsos',
  block: (number, time) => `Bloco ${number}, ${time}`,
  unknownTransaction: 'Encontrado pelo saldo do endereço; a transação não é conhecida.',
  signed: 'Documento assinado (JSON)',
  signedNote: 'Qualquer pessoa pode verificar a assinatura com as chaves publicadas.',
  statedAt: (time) => `Situação em ${time}`,
  unsubscribeTitle: 'Não quer mais e-mails?',
  unsubscribeNote:
    'Toque no botão e este endereço não receberá mais e-mails sobre pagamentos a este comerciante.',
  unsubscribe: 'Não me enviar mais e-mails',
  unsubscribed: 'Sem mais e-mails',
  unsubscribedNote:
    'Este endereço não receberá mais e-mails sobre pagamentos a este comerciante. Você pode fechar esta página.',
};

export const RECEIPT_MESSAGES: Catalogue<ReceiptTexts> = { en: EN, es: ES, pt: PT };
