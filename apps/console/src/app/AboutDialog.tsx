import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Fact, Facts } from '../ui/Facts.tsx'
import { ServiceNames } from '../usage/services/ServiceNames.tsx'

export function AboutDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const configuration = useSignedIn()?.configuration
  const services = configuration?.services ?? []
  return (
    <Dialog opened={opened} onClose={onClose} title={t('about.title')}>
      <p className="dialog-lead">{t('about.text')}</p>
      <Facts>
        <Fact name={t('about.version')}>
          <span className="mono">{configuration?.version}</span>
        </Fact>
        <Fact name={t('about.licence')}>{t('about.apache')}</Fact>
        <Fact name={t('about.services')}>
          {services.length > 0 ? <ServiceNames names={services} /> : t('about.none')}
        </Fact>
      </Facts>
    </Dialog>
  )
}
