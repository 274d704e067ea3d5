// The styles of the component kit that all its parts and our own styles rely on, ahead of those of the parts.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
