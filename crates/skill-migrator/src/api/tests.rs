//! Plans of services.
