{{/* Names begin with the release's, and have room for a suffix. */}}
{{- define "payments.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}

{{/* Takes (list root component). */}}
{{- define "payments.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "payments.labels" -}}
{{ include "payments.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{/* Takes (list root image): what the component's own image names counts before the common one. */}}
{{- define "payments.image" -}}
{{- $common := (index . 0).Values.image -}}
{{- $own := index . 1 -}}
{{- $digest := $own.digest | default (ternary "" $common.digest (ne ($own.tag | default "") "")) -}}
{{- if $digest -}}
{{ $common.repository }}@{{ $digest }}
{{- else -}}
{{ $common.repository }}:{{ $own.tag | default $common.tag | default (index . 0).Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* Takes (dict fixed settings secretSettings files): a later name of a component replaces the common one. */}}
{{- define "payments.environment" -}}
{{- $values := dict -}}
{{- range $name, $file := .files -}}
{{- if $file.setting -}}{{- $_ := set $values $file.setting (printf "/run/secrets/%s" $name) -}}{{- end -}}
{{- end -}}
{{- range $name, $value := .settings -}}{{- $_ := set $values $name $value -}}{{- end -}}
{{- range $name, $value := .fixed -}}{{- $_ := set $values $name $value -}}{{- end -}}
{{- range $name, $value := $values }}
{{- if not (hasKey $.secretSettings $name) }}
- name: {{ $name }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- range $name, $source := .secretSettings }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $source.name }}, key: {{ $source.key }} } }
{{- end }}
{{- end }}

{{/*
A pod of the service. Takes (dict root component values command image fixed container inherits restartPolicy grace): `container`
is more YAML of the container, `inherits` the components whose secrets and files it has besides its own.
*/}}
{{- define "payments.pod" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $settings := dict -}}
{{- $secrets := dict -}}
{{- $files := dict -}}
{{- range concat (list $values) (.inherits | default list) (list .values) -}}
{{- $settings = mergeOverwrite $settings (deepCopy .settings) -}}
{{- $secrets = mergeOverwrite $secrets (deepCopy .secretSettings) -}}
{{- $files = mergeOverwrite $files (deepCopy .files) -}}
{{- end -}}
{{- $fixed := merge (dict "METRICS_HOST" "0.0.0.0" "METRICS_PORT" $values.metrics.port) (.fixed | default dict) -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with $values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .restartPolicy }}
restartPolicy: {{ . }}
{{- end }}
terminationGracePeriodSeconds: {{ .grace | default 30 }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ $values.podSecurityContext.runAsUser }}
  runAsGroup: {{ $values.podSecurityContext.runAsGroup }}
  fsGroup: {{ $values.podSecurityContext.fsGroup }}
  seccompProfile: { type: RuntimeDefault }
{{- if eq (.restartPolicy | default "") "" }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels: {{- include "payments.selector" (list $root $.component) | nindent 8 }}
  {{- end }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: {{ .component }}
    image: {{ include "payments.image" (list $root (.values.image | default dict)) }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    command: {{ .command | toJson }}
    env:
      {{- include "payments.environment" (dict "fixed" $fixed "settings" $settings "secretSettings" $secrets "files" $files) | trim | nindent 6 }}
    {{- with .container }}
    {{- . | nindent 4 }}
    {{- end }}
    resources: {{- toYaml .values.resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if $files }}
      - { name: secrets, mountPath: /run/secrets, readOnly: true }
      {{- end }}
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  {{- if $files }}
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $name, $file := $files }}
        - secret:
            name: {{ $file.name }}
            items: [{ key: {{ $file.key }}, path: {{ $name }} }]
        {{- end }}
  {{- end }}
{{- end }}
