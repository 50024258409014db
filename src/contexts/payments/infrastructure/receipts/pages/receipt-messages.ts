import type { MessageCatalogue, PageLanguage } from '#shared/web/messages/languages.js';
import type { Receipt } from '#contexts/payments/application/receipts/receipt.js';
import type { PayerPageMessages } from '../../checkout/pages/checkout-page-props.js';

export interface ReceiptPageProps {
  readonly receipt: Receipt;
  readonly language: PageLanguage;
  readonly text: PayerPageMessages & ReceiptTexts;
}

const ENGLISH_TEXTS = {
  receiptOf: (merchant: string): string => `Receipt from ${merchant}`,
  status: {
    paid: 'Paid',
    partly_paid: 'Partially paid',
    partly_refunded: 'Partially refunded',
    refunded: 'Refunded',
    partly_reversed: 'Partially reversed',
    reversed: 'Reversed',
  },
  statusNote: {
    paid: 'The merchant received the payment, and it is final.',
    partly_paid: 'The merchant received less than the amount due. This is not a receipt for the full amount.',
    partly_refunded: 'The merchant refunded part of the payment.',
    refunded: 'The merchant refunded the payment.',
    partly_reversed:
      'A transaction of this payment disappeared from its network. Part of the amount is no longer paid.',
    reversed: 'The transaction of this payment disappeared from its network. The amount is no longer paid.',
  },
  postalAddress: 'Address',
  asked: 'Amount due',
  rateNote: (sources: string, time: string): string => `${sources}, ${time}`,
  transactions: 'Transactions',
  reversedOn: (time: string): string => `Reversed on ${time}`,
  reversed: 'Reversed',
  others: 'Also received',
  othersNote: 'Received late or in another coin. Not part of this payment.',
  refunds: 'Refunds',
  block: (number: string, time: string): string => `Block ${number}, ${time}`,
  unknownTransaction: 'Detected by the balance of the address; the transaction is unknown.',
  signed: 'Signed document (JSON)',
  signedNote: 'Anyone can verify the signature with the published keys.',
  statedAt: (time: string): string => `As of ${time}`,
  unsubscribeTitle: 'Unsubscribe?',
  unsubscribeNote: 'Press the button to stop emails to this address about payments to this merchant.',
  unsubscribe: 'Unsubscribe',
  unsubscribed: 'You have unsubscribed',
  unsubscribedNote:
    'This address no longer receives emails about payments to this merchant. You can close this page.',
};

export type ReceiptTexts = typeof ENGLISH_TEXTS;

const SPANISH_TEXTS: ReceiptTexts = {
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
    partly_paid: 'El comercio ha recibido menos del importe debido. No es un recibo por el importe completo.',
    partly_refunded: 'El comercio ha reembolsado una parte del pago.',
    refunded: 'El comercio ha reembolsado el pago.',
    partly_reversed:
      'Una transacción de este pago desapareció de su red. Una parte del importe ya no está pagada.',
    reversed: 'La transacción de este pago desapareció de su red. El importe ya no está pagado.',
  },
  postalAddress: 'Dirección',
  asked: 'Importe debido',
  rateNote: (sources, time) => `${sources}, ${time}`,
  transactions: 'Transacciones',
  reversedOn: (time) => `Revertida el ${time}`,
  reversed: 'Revertido',
  others: 'También recibido',
  othersNote: 'Recibido tarde o en otra moneda. No forma parte de este pago.',
  refunds: 'Reembolsos',
  block: (number, time) => `Bloque ${number}, ${time}`,
  unknownTransaction: 'Detectado por el saldo de la dirección; se desconoce la transacción.',
  signed: 'Documento firmado (JSON)',
  signedNote: 'Cualquiera puede verificar la firma con las claves publicadas.',
  statedAt: (time) => `Situación a ${time}`,
  unsubscribeTitle: '¿Darte de baja?',
  unsubscribeNote:
    'Pulsa el botón para que esta dirección no reciba más correos sobre pagos a este comercio.',
  unsubscribe: 'Darme de baja',
  unsubscribed: 'Te has dado de baja',
  unsubscribedNote:
    'Esta dirección ya no recibe correos sobre pagos a este comercio. Puedes cerrar esta página.',
};

const PORTUGUESE_TEXTS: ReceiptTexts = {
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
    partly_paid: 'O comerciante recebeu menos que o valor devido. Este não é um recibo do valor completo.',
    partly_refunded: 'O comerciante reembolsou parte do pagamento.',
    refunded: 'O comerciante reembolsou o pagamento.',
    partly_reversed: 'Uma transação deste pagamento desapareceu da rede. Parte do valor não está mais paga.',
    reversed: 'A transação deste pagamento desapareceu da rede. O valor não está mais pago.',
  },
  postalAddress: 'Endereço',
  asked: 'Valor devido',
  rateNote: (sources, time) => `${sources}, ${time}`,
  transactions: 'Transações',
  reversedOn: (time) => `Revertida em ${time}`,
  reversed: 'Revertido',
  others: 'Também recebido',
  othersNote: 'Recebido com atraso ou em outra moeda. Não faz parte deste pagamento.',
  refunds: 'Reembolsos',
  block: (number, time) => `Bloco ${number}, ${time}`,
  unknownTransaction: 'Detectado pelo saldo do endereço; a transação é desconhecida.',
  signed: 'Documento assinado (JSON)',
  signedNote: 'Qualquer pessoa pode verificar a assinatura com as chaves publicadas.',
  statedAt: (time) => `Situação em ${time}`,
  unsubscribeTitle: 'Cancelar a inscrição?',
  unsubscribeNote:
    'Toque no botão para que este endereço não receba mais e-mails sobre pagamentos a este comerciante.',
  unsubscribe: 'Cancelar inscrição',
  unsubscribed: 'Você cancelou a inscrição',
  unsubscribedNote:
    'Este endereço não recebe mais e-mails sobre pagamentos a este comerciante. Você pode fechar esta página.',
};

export const RECEIPT_MESSAGES: MessageCatalogue<ReceiptTexts> = {
  en: ENGLISH_TEXTS,
  es: SPANISH_TEXTS,
  pt: PORTUGUESE_TEXTS,
};
