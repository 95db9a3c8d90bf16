package io.alphaomega.omega.spring.visible;

/** A bean whose methods are those of a package-private superclass. */
public class VisibleDesk extends HiddenDesk {}
