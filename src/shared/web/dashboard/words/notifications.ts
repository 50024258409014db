import type { Translations } from '../../messages/languages.js';

/** Translations for notification rules, and for the pages linked from notification emails. */
export const NOTIFICATION_WORDS = {
  'Create notification rule': ['Crear una regla de notificación', 'Criar uma regra de notificação'],
  'Notification rule': ['Regla de notificación', 'Regra de notificação'],
  'Notification rules of all accounts, oldest first': [
    'Reglas de notificación de todas las cuentas, primero las más antiguas',
    'Regras de notificação de todas as contas, primeiro as mais antigas',
  ],
  'No notification rules yet.': [
    'Todavía no hay reglas de notificación.',
    'Ainda não há regras de notificação.',
  ],
  'A rule emails people about payment events, and weekly or monthly reports.': [
    'Una regla envía por correo los eventos de pago y los informes semanales o mensuales.',
    'Uma regra envia por e-mail os eventos de pagamento e os relatórios semanais ou mensais.',
  ],
  'Rule deleted. It no longer sends emails.': [
    'Regla eliminada. Ya no envía correos.',
    'Regra excluída. Ela não envia mais e-mails.',
  ],
  'Rule created. New addresses outside your team have been asked by email to confirm.': [
    'Regla creada. Se ha pedido confirmación por correo a las direcciones nuevas ajenas al equipo.',
    'Regra criada. Pedimos por e-mail a confirmação dos novos endereços de fora da equipe.',
  ],
  'Rule updated. New addresses outside your team have been asked by email to confirm.': [
    'Regla actualizada. Se ha pedido confirmación por correo a las direcciones nuevas ajenas al equipo.',
    'Regra atualizada. Pedimos por e-mail a confirmação dos novos endereços de fora da equipe.',
  ],
  'Confirmation emails sent again.': [
    'Correos de confirmación enviados de nuevo.',
    'E-mails de confirmação enviados de novo.',
  ],
  'Events and reports': ['Eventos e informes', 'Eventos e relatórios'],
  Recipients: ['Destinatarios', 'Destinatários'],
  'Completed payments': ['Pagos completados', 'Pagamentos concluídos'],
  'Underpaid payments': ['Pagos incompletos', 'Pagamentos a menos'],
  'Unexpected payments': ['Pagos inesperados', 'Pagamentos inesperados'],
  'Failing webhooks': ['Webhooks con errores', 'Webhooks com falhas'],
  'Low refund float': ['Fondo de reembolsos bajo', 'Fundo de reembolsos baixo'],
  'Weekly report': ['Informe semanal', 'Relatório semanal'],
  'Monthly report': ['Informe mensual', 'Relatório mensal'],
  'Paid in full, overpaid, or underpaid within your tolerance.': [
    'Pagado por completo, de más, o de menos dentro de tu tolerancia.',
    'Pago por completo, a mais, ou a menos dentro da sua tolerância.',
  ],
  'The payment ended with less than the amount due.': [
    'El pago terminó con menos del importe debido.',
    'O pagamento terminou com menos que o valor devido.',
  ],
  'Funds received outside the payment: late, after the outcome, or in another asset.': [
    'Fondos recibidos fuera del pago: tarde, después del resultado o en otro activo.',
    'Valores recebidos fora do pagamento: atrasados, depois do resultado ou em outro ativo.',
  ],
  'Every status change of a refund.': [
    'Cada cambio de estado de un reembolso.',
    'Cada mudança de status de um reembolso.',
  ],
  'A webhook of the account has failed for five days.': [
    'Un webhook de la cuenta lleva cinco días fallando.',
    'Um webhook da conta está falhando há cinco dias.',
  ],
  'The available float is below the amount you set below.': [
    'El saldo disponible del fondo es menor que el importe indicado abajo.',
    'O saldo disponível do fundo é menor que o valor definido abaixo.',
  ],
  'On Monday morning, for the previous week.': [
    'El lunes por la mañana, sobre la semana anterior.',
    'Na segunda-feira de manhã, sobre a semana anterior.',
  ],
  'On the first morning of the month, for the previous month.': [
    'La primera mañana del mes, sobre el mes anterior.',
    'Na primeira manhã do mês, sobre o mês anterior.',
  ],
  'At most {most} addresses, one per line. Addresses outside your team must confirm by email first. Leave blank to use chat channels only.':
    [
      'Como máximo {most} direcciones, una por línea. Las direcciones ajenas al equipo deben confirmar antes por correo. Déjalo en blanco para usar solo canales de chat.',
      'No máximo {most} endereços, um por linha. Endereços de fora da equipe precisam confirmar antes por e-mail. Deixe em branco para usar só canais de chat.',
    ],
  'Chat channels': ['Canales de chat', 'Canais de chat'],
  'Chat channels of the rule': ['Canales de chat de la regla', 'Canais de chat da regra'],
  'No chat channels.': ['No hay canales de chat.', 'Não há canais de chat.'],
  'Add chat channel': ['Añadir un canal de chat', 'Adicionar um canal de chat'],
  Chat: ['Chat', 'Chat'],
  Actions: ['Acciones', 'Ações'],
  'Slack, Mattermost or Discord': ['Slack, Mattermost o Discord', 'Slack, Mattermost ou Discord'],
  Telegram: ['Telegram', 'Telegram'],
  ntfy: ['ntfy', 'ntfy'],
  'Slack: the URL of an incoming webhook (Discord: with /slack at its end). Telegram: the bot token, a space and the chat id. ntfy: the URL of the topic.':
    [
      'Slack: la URL de un webhook entrante (Discord: con /slack al final). Telegram: el token del bot, un espacio y el id del chat. ntfy: la URL del tema.',
      'Slack: a URL de um webhook de entrada (Discord: com /slack no final). Telegram: o token do bot, um espaço e o id do chat. ntfy: a URL do tópico.',
    ],
  'Chat channel added. Send a test message to check it.': [
    'Canal de chat añadido. Envía una prueba para comprobarlo.',
    'Canal de chat adicionado. Envie um teste para verificá-lo.',
  ],
  'Chat channel removed.': ['Canal de chat quitado.', 'Canal de chat removido.'],
  'The chat channel accepted the test message.': [
    'El canal de chat aceptó el mensaje de prueba.',
    'O canal de chat aceitou a mensagem de teste.',
  ],
  'At most one notification per': ['Como máximo una notificación cada', 'No máximo uma notificação a cada'],
  '5 minutes': ['5 minutos', '5 minutos'],
  hour: ['hora', 'hora'],
  day: ['día', 'dia'],
  'For dates and times in the emails, for example Europe/Lisbon. Default: UTC.': [
    'Para las fechas y horas de los correos; por ejemplo, Europe/Lisbon. Por defecto, UTC.',
    'Para as datas e os horários dos e-mails; por exemplo, Europe/Lisbon. Padrão: UTC.',
  ],
  'Alert below': ['Avisar por debajo de', 'Avisar abaixo de'],
  'An amount of that asset. Used by the low refund float notification.': [
    'Un importe de ese activo. Lo usa la notificación de fondo bajo.',
    'Um valor desse ativo. Usado pela notificação de fundo baixo.',
  ],
  'Last notification': ['Última notificación', 'Última notificação'],
  'Recipients of the rule': ['Destinatarios de la regla', 'Destinatários da regra'],
  'No recipients.': ['Sin destinatarios.', 'Sem destinatários.'],
  Reports: ['Informes', 'Relatórios'],
  'Reports, newest first': ['Informes, primero los más recientes', 'Relatórios, primeiro os mais recentes'],
  'Week of {day}': ['Semana del {day}', 'Semana de {day}'],
  'Month of {day}': ['Mes del {day}', 'Mês de {day}'],
  'Resend confirmation emails': ['Reenviar correos de confirmación', 'Reenviar e-mails de confirmação'],
  'Edit rule': ['Editar la regla', 'Editar regra'],
  'Delete rule': ['Eliminar la regla', 'Excluir a regra'],
  'Delete this rule, its recipients and its list of reports': [
    'Eliminar esta regla, sus destinatarios y su lista de informes',
    'Excluir esta regra, seus destinatários e sua lista de relatórios',
  ],
  'Receive these emails?': ['¿Quieres recibir estos correos?', 'Quer receber estes e-mails?'],
  'This link has expired': ['Este enlace ha caducado', 'Este link expirou'],
  'You receive these emails': ['Recibes estos correos', 'Você recebe estes e-mails'],
  'You have unsubscribed': ['Te has dado de baja', 'Você cancelou a inscrição'],
  'Emails from {organization} to {email}.': [
    'Correos de {organization} a {email}.',
    'E-mails de {organization} para {email}.',
  ],
  'To receive these emails, ask the sender for a new link. Nothing is sent until you confirm.': [
    'Para recibir estos correos, pide al remitente un enlace nuevo. No se envía nada hasta que confirmes.',
    'Para receber estes e-mails, peça um novo link ao remetente. Nada é enviado até você confirmar.',
  ],
  'Subscribe again': ['Volver a suscribirme', 'Inscrever-me de novo'],
  Unsubscribe: ['Darme de baja', 'Cancelar inscrição'],
  'The link is incomplete or no longer valid.': [
    'El enlace está incompleto o ya no es válido.',
    'O link está incompleto ou não é mais válido.',
  ],
} as const satisfies Translations;
