import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { ServiceNames } from '../usage/services/ServiceNames.tsx'

export function AboutDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const configuration = useSignedIn()?.configuration
  const services = configuration?.services ?? []
  return (
    <Modal opened={opened} onClose={onClose} title={t('about.title')}>
      <p className="dialog-lead">{t('about.text')}</p>
      <dl className="facts">
        <div>
          <dt>{t('about.version')}</dt>
          <dd className="mono">{configuration?.version}</dd>
        </div>
        <div>
          <dt>{t('about.licence')}</dt>
          <dd>{t('about.apache')}</dd>
        </div>
        <div>
          <dt>{t('about.services')}</dt>
          <dd>{services.length > 0 ? <ServiceNames names={services} /> : t('about.none')}</dd>
        </div>
      </dl>
    </Modal>
  )
}
